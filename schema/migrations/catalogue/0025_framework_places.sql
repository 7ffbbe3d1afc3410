ALTER TABLE `buyer` ADD `framework_places` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `company` ADD `framework_places` integer DEFAULT 0 NOT NULL;