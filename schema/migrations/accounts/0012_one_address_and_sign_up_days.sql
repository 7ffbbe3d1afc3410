CREATE TABLE `sign_up_day` (
	`day` text NOT NULL,
	`hash` text NOT NULL,
	`sign_ups` integer NOT NULL,
	PRIMARY KEY(`day`, `hash`)
);
--> statement-breakpoint
ALTER TABLE `auth_user` ADD `address` text;--> statement-breakpoint
UPDATE `auth_user` SET `address` = lower(`email`);--> statement-breakpoint
UPDATE `auth_user` SET `address` = substr(`address`, 1, instr(`address`, '+') - 1) || substr(`address`, instr(`address`, '@'))
  WHERE instr(`address`, '+') > 1 AND instr(`address`, '+') < instr(`address`, '@');--> statement-breakpoint
UPDATE `auth_user` SET `address` = replace(substr(`address`, 1, instr(`address`, '@') - 1), '.', '') || '@gmail.com'
  WHERE substr(`address`, instr(`address`, '@')) IN ('@gmail.com', '@googlemail.com');--> statement-breakpoint
UPDATE `auth_user` SET `address` = replace(replace(replace(substr(`address`, 1, instr(`address`, '@') - 1), '.', ''), '_', ''), '-', '') || '@proton.me'
  WHERE substr(`address`, instr(`address`, '@')) IN ('@proton.me', '@protonmail.com', '@pm.me');--> statement-breakpoint
UPDATE `auth_user` SET `address` = NULL WHERE EXISTS (SELECT 1 FROM `auth_user` AS o WHERE o.`address` = `auth_user`.`address`
  AND (o.`email_verified`, -o.`created_at`, o.`id`) > (`auth_user`.`email_verified`, -`auth_user`.`created_at`, `auth_user`.`id`));--> statement-breakpoint
CREATE UNIQUE INDEX `auth_user_address_unique` ON `auth_user` (`address`);