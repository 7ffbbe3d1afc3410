ALTER TABLE `transfer` ADD `lines` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `transfer` ADD `charges` text;--> statement-breakpoint
CREATE TRIGGER `transfer_lines_fit` BEFORE INSERT ON `transfer` WHEN (NEW.`lines` <> 1 OR NEW.`charges` IS NOT NULL) AND NOT coalesce(
  CASE WHEN json_valid(NEW.`charges`) THEN
    NEW.`kind` = 'charge' AND NEW.`lines` BETWEEN 2 AND 256 AND json_array_length(NEW.`charges`) = NEW.`lines`
      AND NEW.`key` = 'charge:' || (NEW.`charges` ->> '$[0][0]') AND NEW.`request_id` IS NULL AND NEW.`credits` % NEW.`lines` = 0
      AND NEW.`id` - NEW.`lines` >= (SELECT max(`id`) FROM `transfer`) END, 0)
BEGIN SELECT RAISE(ABORT, 'a transfer of several lines does not fit into the ledger'); END;
--> statement-breakpoint
DROP TRIGGER `transfer_counts_usage`;
--> statement-breakpoint
CREATE TRIGGER `transfer_counts_usage` AFTER INSERT ON `transfer` WHEN NEW.`kind` IN ('charge', 'refund') BEGIN
  INSERT INTO `usage_day` (`account_id`, `day`, `key_id`, `action`, `calls`, `credits`, `first_line`, `last_line`)
  VALUES (CASE NEW.`kind` WHEN 'charge' THEN NEW.`from_account` ELSE NEW.`to_account` END,
    substr(coalesce((SELECT `created_at` FROM `transfer` WHERE `id` = NEW.`corrects`), NEW.`created_at`), 1, 10),
    coalesce(NEW.`key_id`, ''), coalesce(NEW.`action`, ''), CASE NEW.`kind` WHEN 'charge' THEN NEW.`lines` ELSE 0 END,
    CASE NEW.`kind` WHEN 'charge' THEN NEW.`credits` ELSE -NEW.`credits` END, coalesce(NEW.`corrects`, NEW.`id` - NEW.`lines` + 1),
    coalesce(NEW.`corrects`, NEW.`id`))
  ON CONFLICT (`account_id`, `day`, `key_id`, `action`) DO UPDATE SET `calls` = `calls` + excluded.`calls`, `credits` = `credits` + excluded.`credits`,
    `last_line` = max(`last_line`, excluded.`last_line`);
END;
