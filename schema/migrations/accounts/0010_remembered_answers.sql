CREATE TABLE `remembered_answer` (
	`line` integer PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL,
	`bytes` integer NOT NULL,
	`body` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `remembered_answer_by_expiry` ON `remembered_answer` (`expires_at`,`bytes`);