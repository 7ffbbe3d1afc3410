DROP INDEX `run_by_job`;--> statement-breakpoint
DROP INDEX `registered_company_by_profile`;