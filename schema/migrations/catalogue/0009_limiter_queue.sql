CREATE TABLE `limiter_waiter` (
	`limiter` text NOT NULL,
	`waiter` text NOT NULL,
	`rank` integer NOT NULL,
	`since_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	PRIMARY KEY(`limiter`, `waiter`)
);
--> statement-breakpoint
ALTER TABLE `limiter` ADD `set_at` integer DEFAULT 0 NOT NULL;