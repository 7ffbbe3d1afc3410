DROP INDEX `transfer_by_corrects`;--> statement-breakpoint
CREATE INDEX `transfer_by_corrects` ON `transfer` (`corrects`) WHERE "transfer"."corrects" IS NOT NULL;