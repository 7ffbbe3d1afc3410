CREATE TABLE `export_store` (
	`mark` text PRIMARY KEY NOT NULL,
	`turn` integer NOT NULL,
	`place` text NOT NULL,
	`claimed_at` text NOT NULL
);
