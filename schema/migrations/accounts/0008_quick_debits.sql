DROP INDEX `transfer_by_to`;--> statement-breakpoint
CREATE INDEX `transfer_by_to` ON `transfer` (`to_account`,`id`) WHERE to_account <> '@revenue';--> statement-breakpoint
DROP TRIGGER `transfer_between_known_accounts`;
--> statement-breakpoint
CREATE TRIGGER `transfer_between_known_accounts` BEFORE INSERT ON `transfer` WHEN NOT EXISTS (SELECT 1 FROM `account` WHERE `id` = NEW.`from_account`) OR NOT EXISTS (SELECT 1 FROM `account` WHERE `id` = NEW.`to_account`) BEGIN SELECT RAISE(ABORT, 'a transfer names an account that does not exist'); END;
