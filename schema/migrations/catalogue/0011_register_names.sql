DROP INDEX `registered_company_by_name_key`;--> statement-breakpoint
CREATE INDEX `registered_company_by_name_key` ON `registered_company` (`name_key`,`company_number`);