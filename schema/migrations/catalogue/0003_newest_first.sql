CREATE INDEX `contract_by_date` ON `contract` (`sort_date`,`id`);--> statement-breakpoint
CREATE INDEX `framework_by_published` ON `framework` (`published`,`id`);