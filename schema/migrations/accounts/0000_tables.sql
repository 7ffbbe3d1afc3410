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
CREATE INDEX `auth_account_by_user` ON `auth_account` (`user_id`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `auth_session_token_unique` ON `auth_session` (`token`);--> statement-breakpoint
CREATE INDEX `auth_session_by_user` ON `auth_session` (`user_id`);--> statement-breakpoint
CREATE TABLE `auth_user` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`image` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_user_email_unique` ON `auth_user` (`email`);--> statement-breakpoint
CREATE TABLE `auth_verification` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `auth_verification_by_identifier` ON `auth_verification` (`identifier`);--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE INDEX `export_by_status` ON `export` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `export_by_account` ON `export` (`account_id`,`created_at`);--> statement-breakpoint
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
	`created_at` text NOT NULL,
	CONSTRAINT "account_balance_not_negative" CHECK("account"."balance" >= 0 OR substr("account"."id", 1, 1) = '@')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_user_id_unique` ON `account` (`user_id`);--> statement-breakpoint
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
	`monthly_cap` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_hash_unique` ON `api_key` (`hash`);--> statement-breakpoint
CREATE INDEX `api_key_by_account` ON `api_key` (`account_id`);--> statement-breakpoint
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
CREATE INDEX `idempotency_by_expiry` ON `idempotency` (`expires_at`);--> statement-breakpoint
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
CREATE UNIQUE INDEX `transfer_by_key` ON `transfer` (`key`);--> statement-breakpoint
CREATE INDEX `transfer_by_from` ON `transfer` (`from_account`,`id`);--> statement-breakpoint
CREATE INDEX `transfer_by_to` ON `transfer` (`to_account`,`id`);--> statement-breakpoint
CREATE INDEX `transfer_by_corrects` ON `transfer` (`corrects`);