CREATE TRIGGER `transfer_counts_key_month` AFTER INSERT ON `transfer` WHEN NEW.`key_id` IS NOT NULL AND NEW.`kind` IN ('charge', 'refund') BEGIN
  INSERT INTO `key_month` (`key_id`, `month`, `credits`)
  VALUES (NEW.`key_id`, substr(NEW.`created_at`, 1, 7), CASE NEW.`kind` WHEN 'charge' THEN NEW.`credits` ELSE -NEW.`credits` END)
  ON CONFLICT (`key_id`, `month`) DO UPDATE SET `credits` = `credits` + excluded.`credits`;
END;
--> statement-breakpoint
INSERT INTO `key_month` (`key_id`, `month`, `credits`)
SELECT `key_id`, substr(`created_at`, 1, 7), sum(CASE `kind` WHEN 'charge' THEN `credits` ELSE -`credits` END)
FROM `transfer` WHERE `key_id` IS NOT NULL AND `kind` IN ('charge', 'refund') GROUP BY 1, 2;
