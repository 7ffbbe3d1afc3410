CREATE TABLE `former_address` (
	`hash` text PRIMARY KEY NOT NULL,
	`closed_at` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `account` ADD `low_balance_mail` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `account` ADD `low_balance_told` integer;
--> statement-breakpoint
CREATE TRIGGER `account_balance_is_back` AFTER UPDATE OF `balance` ON `account` WHEN NEW.`low_balance_told` IS NOT NULL AND NEW.`balance` >= NEW.`low_balance_told` BEGIN
  UPDATE `account` SET `low_balance_told` = NULL WHERE `id` = NEW.`id`;
END;
