ALTER TABLE `watch_item` ADD `seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `watch_item` ADD `gone` integer DEFAULT 0 NOT NULL;