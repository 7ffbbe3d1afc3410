CREATE TABLE `usage_day` (
	`account_id` text NOT NULL,
	`day` text NOT NULL,
	`key_id` text NOT NULL,
	`action` text NOT NULL,
	`calls` integer NOT NULL,
	`credits` integer NOT NULL,
	`first_line` integer NOT NULL,
	`last_line` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `key_id`, `action`)
);
