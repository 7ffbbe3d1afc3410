CREATE TABLE `absent_profile` (
	`company_number` text PRIMARY KEY NOT NULL,
	`asked_at` text NOT NULL,
	`attempts` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `probe` (
	`source` text NOT NULL,
	`notice_id` text NOT NULL,
	`reason` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`noticed_at` text NOT NULL,
	`asked_at` text,
	`error` text,
	PRIMARY KEY(`source`, `notice_id`)
);
--> statement-breakpoint
CREATE INDEX `probe_by_state` ON `probe` (`source`,`state`,`notice_id`);--> statement-breakpoint
CREATE TABLE `takedown` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`reason` text NOT NULL,
	`taken_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `takedown_by_kind` ON `takedown` (`kind`);--> statement-breakpoint
CREATE TABLE `witness_day` (
	`source` text NOT NULL,
	`day` text NOT NULL,
	`witness` text NOT NULL,
	`counted` integer NOT NULL,
	`held` integer NOT NULL,
	`checked_at` text NOT NULL,
	PRIMARY KEY(`source`, `day`, `witness`)
);
--> statement-breakpoint
CREATE TABLE `contact` (
	`ocid` text NOT NULL,
	`release_id` text NOT NULL,
	`party_id` text NOT NULL,
	`name` text,
	`email` text,
	`telephone` text,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`ocid`, `release_id`, `party_id`)
);
--> statement-breakpoint
CREATE INDEX `contact_by_expiry` ON `contact` (`expires_at`);--> statement-breakpoint
ALTER TABLE `run` ADD `waited_ms` integer DEFAULT 0 NOT NULL;