DROP INDEX `takedown_by_kind`;--> statement-breakpoint
CREATE INDEX `takedown_standing` ON `takedown` (`lifted_at`,`taken_at`,`id`);