ALTER TABLE `registered_company` ADD `block` text;--> statement-breakpoint
CREATE INDEX `registered_company_by_block` ON `registered_company` (`block`);