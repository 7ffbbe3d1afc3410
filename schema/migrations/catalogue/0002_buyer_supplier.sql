CREATE TABLE `buyer_supplier` (
	`buyer_id` text NOT NULL,
	`company_id` text NOT NULL,
	`contracts` integer NOT NULL,
	`places` integer NOT NULL,
	`pence` integer NOT NULL,
	`other_pence` text NOT NULL,
	`last_contract` text NOT NULL,
	PRIMARY KEY(`buyer_id`, `company_id`)
);
--> statement-breakpoint
CREATE INDEX `buyer_supplier_top` ON `buyer_supplier` (`buyer_id`,contracts DESC,pence DESC,places DESC,`company_id`);--> statement-breakpoint
CREATE INDEX `buyer_supplier_top_of_company` ON `buyer_supplier` (`company_id`,contracts DESC,pence DESC,places DESC,`buyer_id`);