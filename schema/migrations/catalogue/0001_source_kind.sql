ALTER TABLE `source` ADD `kind` text DEFAULT 'notices' NOT NULL;--> statement-breakpoint
ALTER TABLE `source` ADD `aliases` text DEFAULT '[]' NOT NULL;