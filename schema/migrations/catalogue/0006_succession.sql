CREATE TABLE `succession` (
	`process_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`method` text NOT NULL,
	`score` real NOT NULL,
	`evidence` text NOT NULL,
	PRIMARY KEY(`process_id`, `contract_id`)
);
--> statement-breakpoint
CREATE INDEX `succession_by_contract` ON `succession` (`contract_id`);--> statement-breakpoint
CREATE INDEX `succession_by_buyer` ON `succession` (`buyer_id`);