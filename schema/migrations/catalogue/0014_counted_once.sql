DROP INDEX `notice_by_cpv`;--> statement-breakpoint
DROP INDEX `notice_by_region`;--> statement-breakpoint
CREATE INDEX `notice_by_cpv` ON `notice` (`cpv`) WHERE gone = 0 AND copy_of IS NULL;--> statement-breakpoint
CREATE INDEX `notice_by_region` ON `notice` (`region`) WHERE gone = 0 AND copy_of IS NULL;