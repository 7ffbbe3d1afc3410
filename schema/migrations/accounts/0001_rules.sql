CREATE TRIGGER `fence_refuses` BEFORE INSERT ON `fence` WHEN NEW.ok <> 1 BEGIN SELECT RAISE(ABORT, 'lease lost'); END;
--> statement-breakpoint
CREATE TRIGGER `fence_keeps_nothing` AFTER INSERT ON `fence` BEGIN DELETE FROM `fence`; END;
--> statement-breakpoint
CREATE TRIGGER `transfer_never_updated` BEFORE UPDATE ON `transfer` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `transfer_never_deleted` BEFORE DELETE ON `transfer` BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `transfer_key_once` BEFORE INSERT ON `transfer` WHEN EXISTS (SELECT 1 FROM `transfer` WHERE `key` = NEW.`key`) BEGIN SELECT RAISE(ABORT, 'this transfer is already in the ledger'); END;
--> statement-breakpoint
CREATE TRIGGER `transfer_between_known_accounts` BEFORE INSERT ON `transfer` WHEN (SELECT count(*) FROM `account` WHERE `id` IN (NEW.`from_account`, NEW.`to_account`)) <> 2 BEGIN SELECT RAISE(ABORT, 'a transfer names an account that does not exist'); END;
--> statement-breakpoint
CREATE TRIGGER `transfer_moves_balances` AFTER INSERT ON `transfer` BEGIN
  UPDATE `account` SET `balance` = `balance` - NEW.`credits` WHERE `id` = NEW.`from_account`;
  UPDATE `account` SET `balance` = `balance` + NEW.`credits` WHERE `id` = NEW.`to_account`;
END;
--> statement-breakpoint
CREATE TRIGGER `account_never_deleted` BEFORE DELETE ON `account` BEGIN SELECT RAISE(ABORT, 'an account is closed, never deleted'); END;
--> statement-breakpoint
INSERT INTO `account` (`id`, `name`, `created_at`) VALUES ('@mint', 'where granted and bought credits come from', '2026-01-01T00:00:00Z');
--> statement-breakpoint
INSERT INTO `account` (`id`, `name`, `created_at`) VALUES ('@revenue', 'where charges go', '2026-01-01T00:00:00Z');
