CREATE TABLE `watch` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`key_id` text,
	`name` text NOT NULL,
	`collection` text NOT NULL,
	`filters` text NOT NULL,
	`webhook` text,
	`secret` text,
	`former_secret` text,
	`former_until` text,
	`every` text NOT NULL,
	`changes` text NOT NULL,
	`credits_per_day_max` integer,
	`state` text DEFAULT 'active' NOT NULL,
	`reason` text,
	`reason_mailed_at` text,
	`position` integer NOT NULL,
	`position_id` text DEFAULT '' NOT NULL,
	`due_at` text,
	`created_at` text NOT NULL,
	`changed_at` text NOT NULL,
	`last_delivered_at` text,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`key_id`) REFERENCES `api_key`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `watch_by_account` ON `watch` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `watch_by_position` ON `watch` (`state`,`position`);--> statement-breakpoint
CREATE TABLE `watch_delivery` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`watch_id` text NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`items` integer NOT NULL,
	`credits` integer NOT NULL,
	`charge_id` text,
	`body` text,
	`created_at` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`sending_at` text,
	`ended_at` text,
	`delivered_at` text,
	`answer_status` integer,
	`answer_ms` integer,
	`answer` text,
	`error` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watch_delivery_id_unique` ON `watch_delivery` (`id`);--> statement-breakpoint
CREATE INDEX `watch_delivery_by_watch` ON `watch_delivery` (`watch_id`,`number`);--> statement-breakpoint
CREATE INDEX `watch_delivery_by_account` ON `watch_delivery` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `watch_delivery_by_status` ON `watch_delivery` (`status`,`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `watch_item` (
	`watch_id` text NOT NULL,
	`item_id` text NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`watch_id`, `item_id`)
);
