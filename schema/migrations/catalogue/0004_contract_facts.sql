ALTER TABLE `contract` ADD `ends_latest` text;--> statement-breakpoint
ALTER TABLE `contract` ADD `ends_basis` text;--> statement-breakpoint
ALTER TABLE `contract` ADD `procedure` text;--> statement-breakpoint
ALTER TABLE `contract` ADD `bids_received` integer;--> statement-breakpoint
ALTER TABLE `contract` ADD `bids_from_smes` integer;--> statement-breakpoint
ALTER TABLE `contract` ADD `sme` integer;