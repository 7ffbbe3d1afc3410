CREATE TABLE `notice_name` (
	`name` text NOT NULL,
	`process_id` text NOT NULL,
	`notice_id` text NOT NULL,
	PRIMARY KEY(`name`, `process_id`, `notice_id`)
);
--> statement-breakpoint
CREATE INDEX `notice_name_by_process` ON `notice_name` (`process_id`);--> statement-breakpoint
ALTER TABLE `process_mention` ADD `is_copy` integer DEFAULT 0 NOT NULL;