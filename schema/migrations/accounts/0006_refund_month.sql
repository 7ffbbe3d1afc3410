DROP TRIGGER `transfer_counts_key_month`;
--> statement-breakpoint
CREATE TRIGGER `transfer_counts_key_month` AFTER INSERT ON `transfer` WHEN NEW.`key_id` IS NOT NULL AND NEW.`kind` IN ('charge', 'refund') BEGIN
  INSERT INTO `key_month` (`key_id`, `month`, `credits`)
  VALUES (NEW.`key_id`, substr(coalesce((SELECT `created_at` FROM `transfer` WHERE `id` = NEW.`corrects`), NEW.`created_at`), 1, 7),
    CASE NEW.`kind` WHEN 'charge' THEN NEW.`credits` ELSE -NEW.`credits` END)
  ON CONFLICT (`key_id`, `month`) DO UPDATE SET `credits` = `credits` + excluded.`credits`;
END;
--> statement-breakpoint
DELETE FROM `key_month`;
--> statement-breakpoint
INSERT INTO `key_month` (`key_id`, `month`, `credits`)
SELECT t.`key_id`, substr(coalesce(c.`created_at`, t.`created_at`), 1, 7), sum(CASE t.`kind` WHEN 'charge' THEN t.`credits` ELSE -t.`credits` END)
FROM `transfer` t LEFT JOIN `transfer` c ON c.`id` = t.`corrects` WHERE t.`key_id` IS NOT NULL AND t.`kind` IN ('charge', 'refund') GROUP BY 1, 2;
