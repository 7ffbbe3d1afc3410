CREATE TABLE `ledger_seal` (
	`last_line` integer PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`sealed_at` text NOT NULL
);

--> statement-breakpoint
CREATE TRIGGER `ledger_seal_never_updated` BEFORE UPDATE ON `ledger_seal` BEGIN SELECT RAISE(ABORT, 'a seal stays as it is'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_seal_never_deleted` BEFORE DELETE ON `ledger_seal` BEGIN SELECT RAISE(ABORT, 'a seal stays as it is'); END;
