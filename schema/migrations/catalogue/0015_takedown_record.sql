ALTER TABLE `takedown` ADD `taken_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `takedown` ADD `lifted_at` text;