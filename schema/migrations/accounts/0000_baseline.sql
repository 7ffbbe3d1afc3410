CREATE TABLE `auth_account` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`user_id` text NOT NULL,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expires_at` integer,
	`refresh_token_expires_at` integer,
	`scope` text,
	`password` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `auth_user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `auth_account_by_user` ON `auth_account` (`user_id`);
--> statement-breakpoint
CREATE TABLE `auth_session` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL,
	`token` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`user_id` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `auth_user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_session_token_unique` ON `auth_session` (`token`);
--> statement-breakpoint
CREATE INDEX `auth_session_by_user` ON `auth_session` (`user_id`);
--> statement-breakpoint
CREATE TABLE `auth_user` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`image` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `address` text);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_user_email_unique` ON `auth_user` (`email`);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_user_address_unique` ON `auth_user` (`address`);
--> statement-breakpoint
CREATE TABLE `auth_verification` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `auth_verification_by_identifier` ON `auth_verification` (`identifier`);
--> statement-breakpoint
CREATE TABLE `former_address` (
	`hash` text PRIMARY KEY NOT NULL,
	`closed_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_up_day` (
	`day` text NOT NULL,
	`hash` text NOT NULL,
	`sign_ups` integer NOT NULL,
	PRIMARY KEY(`day`, `hash`)
);
--> statement-breakpoint
CREATE TABLE `fence` (
	`id` integer PRIMARY KEY NOT NULL,
	`ok` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lease` (
	`name` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`holder` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `export` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`dataset` text NOT NULL,
	`format` text NOT NULL,
	`filters` text NOT NULL,
	`status` text NOT NULL,
	`rows` integer NOT NULL,
	`matched` integer NOT NULL,
	`credits_charged` integer NOT NULL,
	`charge_id` text NOT NULL,
	`refunded` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`completed_at` text,
	`expires_at` text,
	`file` text,
	`bytes` integer,
	`sha256` text,
	`error` text
, `excel` integer DEFAULT 0 NOT NULL, `requeued_at` text);
--> statement-breakpoint
CREATE INDEX `export_by_status` ON `export` (`status`,`created_at`);
--> statement-breakpoint
CREATE INDEX `export_by_account` ON `export` (`account_id`,`created_at`);
--> statement-breakpoint
CREATE TABLE `export_row` (
	`export_id` text NOT NULL,
	`position` integer NOT NULL,
	`row_key` text NOT NULL,
	PRIMARY KEY(`export_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`user_id` text,
	`balance` integer DEFAULT 0 NOT NULL,
	`state` text DEFAULT 'active' NOT NULL,
	`created_at` text NOT NULL, `low_balance_mail` integer DEFAULT true NOT NULL, `low_balance_told` integer,
	CONSTRAINT "account_balance_not_negative" CHECK("account"."balance" >= 0 OR substr("account"."id", 1, 1) = '@')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_user_id_unique` ON `account` (`user_id`);
--> statement-breakpoint
CREATE TABLE `api_key` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` text NOT NULL,
	`last_used_at` text,
	`expires_at` text,
	`revoked_at` text,
	`monthly_cap` integer, `rolled_at` text, `former_hash` text, `former_until` text,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_hash_unique` ON `api_key` (`hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_former_hash_unique` ON `api_key` (`former_hash`);
--> statement-breakpoint
CREATE INDEX `api_key_by_account` ON `api_key` (`account_id`);
--> statement-breakpoint
CREATE TABLE `idempotency` (
	`account_id` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`state` text NOT NULL,
	`claim_token` text NOT NULL,
	`claim_expires_at` integer NOT NULL,
	`body` blob,
	`charge_id` text,
	`credits_charged` integer,
	`credits_remaining` integer,
	`created_at` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_by_expiry` ON `idempotency` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `key_month` (
	`key_id` text NOT NULL,
	`month` text NOT NULL,
	`credits` integer NOT NULL,
	PRIMARY KEY(`key_id`, `month`)
);
--> statement-breakpoint
CREATE TABLE `ledger_seal` (
	`last_line` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`sealed_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `remembered_answer` (
	`line` integer PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL,
	`bytes` integer NOT NULL,
	`body` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `remembered_answer_by_expiry` ON `remembered_answer` (`expires_at`,`bytes`);
--> statement-breakpoint
CREATE TABLE `transfer` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`from_account` text NOT NULL,
	`to_account` text NOT NULL,
	`credits` integer NOT NULL,
	`action` text,
	`request_id` text,
	`key_id` text,
	`corrects` integer,
	`note` text,
	`created_at` text NOT NULL,
	CONSTRAINT "transfer_credits_positive" CHECK("transfer"."credits" > 0),
	CONSTRAINT "transfer_kind_known" CHECK("transfer"."kind" IN ('charge', 'refund', 'grant', 'top_up')),
	CONSTRAINT "transfer_between_two" CHECK("transfer"."from_account" <> "transfer"."to_account")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transfer_by_key` ON `transfer` (`key`);
--> statement-breakpoint
CREATE INDEX `transfer_by_from` ON `transfer` (`from_account`,`id`);
--> statement-breakpoint
CREATE INDEX `transfer_by_to` ON `transfer` (`to_account`,`id`);
--> statement-breakpoint
CREATE INDEX `transfer_by_corrects` ON `transfer` (`corrects`);
--> statement-breakpoint
CREATE TABLE `usage_day` (
	`account_id` text NOT NULL,
	`day` text NOT NULL,
	`key_id` text NOT NULL,
	`action` text NOT NULL,
	`calls` integer NOT NULL,
	`credits` integer NOT NULL,
	`first_line` integer NOT NULL,
	`last_line` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `key_id`, `action`)
);
--> statement-breakpoint
CREATE TABLE `payment` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credits` integer NOT NULL,
	`amount` integer NOT NULL,
	`vat` integer NOT NULL,
	`vat_percent` real NOT NULL,
	`currency` text NOT NULL,
	`live` integer NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`called_back` integer DEFAULT 0 NOT NULL,
	`session_id` text,
	`payment_intent` text,
	`created_at` text NOT NULL,
	`paid_at` text,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_credits_positive" CHECK("payment"."credits" > 0),
	CONSTRAINT "payment_amount_positive" CHECK("payment"."amount" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_session_id_unique` ON `payment` (`session_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_payment_intent_unique` ON `payment` (`payment_intent`);
--> statement-breakpoint
CREATE INDEX `payment_by_account` ON `payment` (`account_id`,`created_at`);
--> statement-breakpoint
CREATE TABLE `payment_event` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`outcome` text NOT NULL,
	`received_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_event_by_time` ON `payment_event` (`received_at`);
--> statement-breakpoint
CREATE TABLE `payment_reversal` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_intent` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`standing` integer NOT NULL,
	`status` text NOT NULL,
	`said_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_reversal_by_intent` ON `payment_reversal` (`payment_intent`);
--> statement-breakpoint
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
CREATE TRIGGER `transfer_line_once` BEFORE INSERT ON `transfer` WHEN EXISTS (SELECT 1 FROM `transfer` WHERE `id` = NEW.`id`) BEGIN SELECT RAISE(ABORT, 'this transfer is already in the ledger'); END;
--> statement-breakpoint
CREATE TRIGGER `transfer_counts_key_month` AFTER INSERT ON `transfer` WHEN NEW.`key_id` IS NOT NULL AND NEW.`kind` IN ('charge', 'refund') BEGIN
  INSERT INTO `key_month` (`key_id`, `month`, `credits`)
  VALUES (NEW.`key_id`, substr(coalesce((SELECT `created_at` FROM `transfer` WHERE `id` = NEW.`corrects`), NEW.`created_at`), 1, 7),
    CASE NEW.`kind` WHEN 'charge' THEN NEW.`credits` ELSE -NEW.`credits` END)
  ON CONFLICT (`key_id`, `month`) DO UPDATE SET `credits` = `credits` + excluded.`credits`;
END;
--> statement-breakpoint
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
CREATE TRIGGER `account_balance_is_back` AFTER UPDATE OF `balance` ON `account` WHEN NEW.`low_balance_told` IS NOT NULL AND NEW.`balance` >= NEW.`low_balance_told` BEGIN
  UPDATE `account` SET `low_balance_told` = NULL WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_seal_never_updated` BEFORE UPDATE ON `ledger_seal` BEGIN SELECT RAISE(ABORT, 'a seal stays as it is'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_seal_never_deleted` BEFORE DELETE ON `ledger_seal` BEGIN SELECT RAISE(ABORT, 'a seal stays as it is'); END;
--> statement-breakpoint
INSERT INTO `account` (`id`, `name`, `created_at`) VALUES ('@mint', 'where granted and bought credits come from', '2026-01-01T00:00:00Z');
--> statement-breakpoint
INSERT INTO `account` (`id`, `name`, `created_at`) VALUES ('@revenue', 'where charges go', '2026-01-01T00:00:00Z');
