CREATE TABLE `cell` (
	`source` text NOT NULL,
	`month` text NOT NULL,
	`type` text NOT NULL,
	`run_id` text NOT NULL,
	`state` text NOT NULL,
	`releases` integer NOT NULL,
	`digest` text NOT NULL,
	`asked_at` text NOT NULL,
	`settled_at` text,
	`failures` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`source`, `month`, `type`)
);
