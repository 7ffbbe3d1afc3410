CREATE TRIGGER `transfer_counts_usage` AFTER INSERT ON `transfer` WHEN NEW.`kind` IN ('charge', 'refund') BEGIN
  INSERT INTO `usage_day` (`account_id`, `day`, `key_id`, `action`, `calls`, `credits`, `first_line`, `last_line`)
  VALUES (CASE NEW.`kind` WHEN 'charge' THEN NEW.`from_account` ELSE NEW.`to_account` END,
    substr(coalesce((SELECT `created_at` FROM `transfer` WHERE `id` = NEW.`corrects`), NEW.`created_at`), 1, 10),
    coalesce(NEW.`key_id`, ''), coalesce(NEW.`action`, ''), NEW.`kind` = 'charge',
    CASE NEW.`kind` WHEN 'charge' THEN NEW.`credits` ELSE -NEW.`credits` END, coalesce(NEW.`corrects`, NEW.`id`), coalesce(NEW.`corrects`, NEW.`id`))
  ON CONFLICT (`account_id`, `day`, `key_id`, `action`) DO UPDATE SET `calls` = `calls` + excluded.`calls`, `credits` = `credits` + excluded.`credits`,
    `last_line` = max(`last_line`, excluded.`last_line`);
END;
--> statement-breakpoint
INSERT INTO `usage_day` (`account_id`, `day`, `key_id`, `action`, `calls`, `credits`, `first_line`, `last_line`)
SELECT CASE t.`kind` WHEN 'charge' THEN t.`from_account` ELSE t.`to_account` END, substr(coalesce(c.`created_at`, t.`created_at`), 1, 10),
  coalesce(t.`key_id`, ''), coalesce(t.`action`, ''), sum(t.`kind` = 'charge'),
  sum(CASE t.`kind` WHEN 'charge' THEN t.`credits` ELSE -t.`credits` END), min(coalesce(t.`corrects`, t.`id`)), max(coalesce(t.`corrects`, t.`id`))
FROM `transfer` t LEFT JOIN `transfer` c ON c.`id` = t.`corrects` WHERE t.`kind` IN ('charge', 'refund') GROUP BY 1, 2, 3, 4;
