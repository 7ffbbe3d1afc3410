ALTER TABLE `run` ADD `refused` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `run` ADD `warning` text;