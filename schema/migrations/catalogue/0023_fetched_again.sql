CREATE TABLE `fetched_again` (
	`ocid` text NOT NULL,
	`release_id` text NOT NULL,
	`digest` text NOT NULL,
	`fetched_at` text NOT NULL,
	PRIMARY KEY(`ocid`, `release_id`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `fetched_again_by_instant` ON `fetched_again` (`fetched_at`);