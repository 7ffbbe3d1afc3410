CREATE TABLE `process_mention` (
	`mention` text NOT NULL,
	`process_id` text NOT NULL,
	PRIMARY KEY(`mention`, `process_id`)
);
--> statement-breakpoint
CREATE INDEX `process_mention_by_process` ON `process_mention` (`process_id`);--> statement-breakpoint
ALTER TABLE `process` ADD `title_key` text;--> statement-breakpoint
ALTER TABLE `process` ADD `reference` text;--> statement-breakpoint
ALTER TABLE `process` ADD `first_published` text;--> statement-breakpoint
ALTER TABLE `process` ADD `last_published` text;--> statement-breakpoint
ALTER TABLE `process` ADD `deadline` text;--> statement-breakpoint
ALTER TABLE `process` ADD `awarded` text;--> statement-breakpoint
CREATE INDEX `process_by_title` ON `process` (`buyer_id`,`title_key`) WHERE title_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `process_by_reference` ON `process` (`buyer_id`,`reference`) WHERE reference IS NOT NULL;