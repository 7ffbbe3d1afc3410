CREATE TABLE `coverage_summary` (
	`source` text PRIMARY KEY NOT NULL,
	`reckoned_at` text NOT NULL,
	`summary` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `release_by_number` ON `release` (`source`,`release_id`,`date`);