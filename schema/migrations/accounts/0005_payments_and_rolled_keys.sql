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
CREATE UNIQUE INDEX `payment_session_id_unique` ON `payment` (`session_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_payment_intent_unique` ON `payment` (`payment_intent`);--> statement-breakpoint
CREATE INDEX `payment_by_account` ON `payment` (`account_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `payment_event` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`outcome` text NOT NULL,
	`received_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_event_by_time` ON `payment_event` (`received_at`);--> statement-breakpoint
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
CREATE INDEX `payment_reversal_by_intent` ON `payment_reversal` (`payment_intent`);--> statement-breakpoint
ALTER TABLE `api_key` ADD `rolled_at` text;--> statement-breakpoint
ALTER TABLE `api_key` ADD `former_hash` text;--> statement-breakpoint
ALTER TABLE `api_key` ADD `former_until` text;--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_former_hash_unique` ON `api_key` (`former_hash`);