CREATE TABLE `identity_fact` (
	`kind` text NOT NULL,
	`token` text NOT NULL,
	`field` text NOT NULL,
	`value` text NOT NULL,
	`last_seen` text NOT NULL,
	PRIMARY KEY(`kind`, `token`, `field`, `value`)
);
--> statement-breakpoint
CREATE INDEX `identity_fact_by_value` ON `identity_fact` (`kind`,`field`,`value`);--> statement-breakpoint
CREATE TABLE `process_reference` (
	`reference` text NOT NULL,
	`process_id` text NOT NULL,
	PRIMARY KEY(`reference`, `process_id`)
);
--> statement-breakpoint
CREATE INDEX `process_reference_by_process` ON `process_reference` (`process_id`);