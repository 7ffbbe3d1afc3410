CREATE TABLE `key_month` (
	`key_id` text NOT NULL,
	`month` text NOT NULL,
	`credits` integer NOT NULL,
	PRIMARY KEY(`key_id`, `month`)
);
