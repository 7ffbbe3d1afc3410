CREATE TABLE `absent_profile` (
	`company_number` text PRIMARY KEY NOT NULL,
	`asked_at` text NOT NULL,
	`attempts` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `counter` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `coverage_day` (
	`source` text NOT NULL,
	`day` text NOT NULL,
	`releases` integer NOT NULL,
	PRIMARY KEY(`source`, `day`)
);
--> statement-breakpoint
CREATE TABLE `coverage_summary` (
	`source` text PRIMARY KEY NOT NULL,
	`reckoned_at` text NOT NULL,
	`summary` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `cursor` (
	`source` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `fence` (
	`id` integer PRIMARY KEY NOT NULL,
	`ok` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lease` (
	`name` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`holder` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `limiter` (
	`name` text PRIMARY KEY NOT NULL,
	`next_at` integer NOT NULL
, `set_at` integer DEFAULT 0 NOT NULL);
--> statement-breakpoint
CREATE TABLE `limiter_waiter` (
	`limiter` text NOT NULL,
	`waiter` text NOT NULL,
	`rank` integer NOT NULL,
	`since_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	PRIMARY KEY(`limiter`, `waiter`)
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `probe` (
	`source` text NOT NULL,
	`notice_id` text NOT NULL,
	`reason` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`noticed_at` text NOT NULL,
	`asked_at` text,
	`error` text, `day` text,
	PRIMARY KEY(`source`, `notice_id`)
);
--> statement-breakpoint
CREATE INDEX `probe_by_state` ON `probe` (`source`,`state`,`notice_id`);
--> statement-breakpoint
CREATE TABLE `run` (
	`id` text PRIMARY KEY NOT NULL,
	`job` text NOT NULL,
	`source` text,
	`started_at` text NOT NULL,
	`ended_at` text,
	`state` text NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`releases` integer DEFAULT 0 NOT NULL,
	`stored` integer DEFAULT 0 NOT NULL,
	`quarantined` integer DEFAULT 0 NOT NULL,
	`repairs` text DEFAULT '{}' NOT NULL,
	`error` text
, `waited_ms` integer DEFAULT 0 NOT NULL, `refused` integer DEFAULT 0 NOT NULL, `warning` text);
--> statement-breakpoint
CREATE INDEX `run_by_job` ON `run` (`job`,`started_at`);
--> statement-breakpoint
CREATE INDEX `run_by_source` ON `run` (`source`,`started_at`);
--> statement-breakpoint
CREATE INDEX `run_by_state` ON `run` (`state`);
--> statement-breakpoint
CREATE TABLE `source` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`homepage` text NOT NULL,
	`licence` text NOT NULL,
	`licence_url` text NOT NULL,
	`attribution` text NOT NULL,
	`timetable` text NOT NULL,
	`releases` integer DEFAULT 0 NOT NULL,
	`quarantined` integer DEFAULT 0 NOT NULL,
	`as_of` text,
	`last_success_at` text,
	`last_attempt_at` text,
	`last_error` text
);
--> statement-breakpoint
CREATE TABLE `takedown` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`reason` text NOT NULL,
	`taken_at` text NOT NULL
, `taken_by` text DEFAULT '' NOT NULL, `lifted_at` text);
--> statement-breakpoint
CREATE INDEX `takedown_standing` ON `takedown` (`lifted_at`,`taken_at`,`id`);
--> statement-breakpoint
CREATE TABLE `unknown_value` (
	`id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`field` text NOT NULL,
	`value` text NOT NULL,
	`sightings` integer NOT NULL,
	`last_seen_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `unknown_value_identity` ON `unknown_value` (`source`,`field`,`value`);
--> statement-breakpoint
CREATE TABLE `window` (
	`source` text NOT NULL,
	`from` text NOT NULL,
	`until` text NOT NULL,
	`run_id` text NOT NULL,
	`state` text NOT NULL,
	`requests` integer NOT NULL,
	`releases` integer NOT NULL,
	`digest` text NOT NULL,
	`completed_at` text NOT NULL,
	PRIMARY KEY(`source`, `from`, `until`)
);
--> statement-breakpoint
CREATE TABLE `witness_day` (
	`source` text NOT NULL,
	`day` text NOT NULL,
	`witness` text NOT NULL,
	`counted` integer NOT NULL,
	`held` integer NOT NULL,
	`checked_at` text NOT NULL,
	PRIMARY KEY(`source`, `day`, `witness`)
);
--> statement-breakpoint
CREATE TABLE `alias` (
	`kind` text NOT NULL,
	`alias` text NOT NULL,
	`target` text NOT NULL,
	PRIMARY KEY(`kind`, `alias`)
);
--> statement-breakpoint
CREATE INDEX `alias_by_target` ON `alias` (`kind`,`target`);
--> statement-breakpoint
CREATE TABLE `buyer` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`region` text,
	`region_code` text,
	`kind` text,
	`contract_count` integer DEFAULT 0 NOT NULL,
	`totals` text DEFAULT '{}' NOT NULL,
	`detail` text DEFAULT '{}' NOT NULL,
	`digest` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL
, `framework_places` integer DEFAULT 0 NOT NULL);
--> statement-breakpoint
CREATE INDEX `buyer_by_name_key` ON `buyer` (`name_key`);
--> statement-breakpoint
CREATE INDEX `buyer_by_seq` ON `buyer` (`seq`,`id`);
--> statement-breakpoint
CREATE TABLE `buyer_word` (
	`word` text NOT NULL,
	`buyer_id` text NOT NULL,
	PRIMARY KEY(`word`, `buyer_id`)
);
--> statement-breakpoint
CREATE INDEX `buyer_word_by_buyer` ON `buyer_word` (`buyer_id`);
--> statement-breakpoint
CREATE TABLE `company` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`company_number` text,
	`is_sme` integer,
	`locality` text,
	`postcode` text,
	`contract_count` integer DEFAULT 0 NOT NULL,
	`totals` text DEFAULT '{}' NOT NULL,
	`detail` text DEFAULT '{}' NOT NULL,
	`digest` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL
, `framework_places` integer DEFAULT 0 NOT NULL);
--> statement-breakpoint
CREATE INDEX `company_by_number` ON `company` (`company_number`);
--> statement-breakpoint
CREATE INDEX `company_by_name_key` ON `company` (`name_key`);
--> statement-breakpoint
CREATE INDEX `company_by_seq` ON `company` (`seq`,`id`);
--> statement-breakpoint
CREATE TABLE `identity_fact` (
	`kind` text NOT NULL,
	`token` text NOT NULL,
	`field` text NOT NULL,
	`value` text NOT NULL,
	`last_seen` text NOT NULL, `notice_id` text,
	PRIMARY KEY(`kind`, `token`, `field`, `value`)
);
--> statement-breakpoint
CREATE INDEX `identity_fact_by_value` ON `identity_fact` (`kind`,`field`,`value`);
--> statement-breakpoint
CREATE TABLE `party` (
	`process_id` text NOT NULL,
	`party_id` text NOT NULL,
	`role` text NOT NULL,
	`name` text NOT NULL,
	`sighting` text NOT NULL,
	`identity_id` text NOT NULL,
	`method` text NOT NULL,
	`score` real NOT NULL,
	`evidence` text NOT NULL,
	PRIMARY KEY(`process_id`, `party_id`, `role`)
);
--> statement-breakpoint
CREATE INDEX `party_by_identity` ON `party` (`role`,`identity_id`);
--> statement-breakpoint
CREATE TABLE `previous_name` (
	`name_key` text NOT NULL,
	`company_number` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`name_key`, `company_number`)
);
--> statement-breakpoint
CREATE INDEX `previous_name_by_number` ON `previous_name` (`company_number`);
--> statement-breakpoint
CREATE TABLE `process_reference` (
	`reference` text NOT NULL,
	`process_id` text NOT NULL,
	PRIMARY KEY(`reference`, `process_id`)
);
--> statement-breakpoint
CREATE INDEX `process_reference_by_process` ON `process_reference` (`process_id`);
--> statement-breakpoint
CREATE TABLE `registered_company` (
	`company_number` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`status` text NOT NULL,
	`category` text NOT NULL,
	`locality` text,
	`postcode` text,
	`incorporated` text,
	`record` text NOT NULL,
	`profile` text,
	`profile_fetched_at` text,
	`edition` text,
	`digest` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL
, `block` text, `match_seq` integer DEFAULT 0 NOT NULL);
--> statement-breakpoint
CREATE INDEX `registered_company_by_name_key` ON `registered_company` (`name_key`);
--> statement-breakpoint
CREATE INDEX `registered_company_by_block` ON `registered_company` (`block`);
--> statement-breakpoint
CREATE INDEX `registered_company_by_seq` ON `registered_company` (`seq`,`company_number`);
--> statement-breakpoint
CREATE INDEX `registered_company_by_profile` ON `registered_company` (`company_number`,`profile_fetched_at`) WHERE profile_fetched_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `sic_code` (
	`code` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `contract` (
	`id` text PRIMARY KEY NOT NULL,
	`process_id` text NOT NULL,
	`ocid` text NOT NULL,
	`source` text NOT NULL,
	`notice_id` text NOT NULL,
	`award_id` text NOT NULL,
	`title` text NOT NULL,
	`buyer_id` text,
	`buyer` text,
	`supplier` text,
	`suppliers` text NOT NULL,
	`value` real,
	`currency` text,
	`value_basis` text,
	`value_class` text NOT NULL,
	`awarded` text,
	`signed` text,
	`starts` text,
	`ends` text,
	`status` text NOT NULL,
	`sort_date` text NOT NULL,
	`cpv` text,
	`region` text,
	`url` text,
	`framework_id` text,
	`framework_role` text,
	`detail` text NOT NULL,
	`digest` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contract_by_process` ON `contract` (`process_id`,`award_id`);
--> statement-breakpoint
CREATE INDEX `contract_by_ocid` ON `contract` (`ocid`);
--> statement-breakpoint
CREATE INDEX `contract_by_buyer` ON `contract` (`buyer_id`,`sort_date`,`id`);
--> statement-breakpoint
CREATE INDEX `contract_by_framework` ON `contract` (`framework_id`,`framework_role`,`sort_date`,`id`);
--> statement-breakpoint
CREATE INDEX `contract_call_off` ON `contract` (`framework_id`,`sort_date`,`id`) WHERE framework_role = 'call_off' AND gone = 0;
--> statement-breakpoint
CREATE INDEX `contract_by_seq` ON `contract` (`seq`,`id`);
--> statement-breakpoint
CREATE INDEX `contract_by_date` ON `contract` (`sort_date`,`id`);
--> statement-breakpoint
CREATE TABLE `contract_supplier` (
	`contract_id` text NOT NULL,
	`company_id` text NOT NULL,
	`position` integer NOT NULL,
	`sort_date` text NOT NULL,
	PRIMARY KEY(`contract_id`, `company_id`)
);
--> statement-breakpoint
CREATE INDEX `contract_supplier_by_company` ON `contract_supplier` (`company_id`,`sort_date`,`contract_id`);
--> statement-breakpoint
CREATE TABLE `framework` (
	`id` text PRIMARY KEY NOT NULL,
	`process_id` text NOT NULL,
	`ocid` text NOT NULL,
	`source` text NOT NULL,
	`notice_id` text NOT NULL,
	`title` text NOT NULL,
	`kind` text NOT NULL,
	`buyer_id` text,
	`buyer` text,
	`starts` text,
	`ends` text,
	`ceiling` real,
	`currency` text,
	`cpv` text,
	`region` text,
	`url` text,
	`published` text NOT NULL,
	`lots` text NOT NULL,
	`detail` text NOT NULL,
	`digest` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `framework_by_seq` ON `framework` (`seq`,`id`);
--> statement-breakpoint
CREATE INDEX `framework_by_buyer` ON `framework` (`buyer_id`);
--> statement-breakpoint
CREATE INDEX `framework_by_published` ON `framework` (`published`,`id`);
--> statement-breakpoint
CREATE TABLE `framework_reference` (
	`reference` text NOT NULL,
	`framework_id` text NOT NULL,
	PRIMARY KEY(`reference`, `framework_id`)
);
--> statement-breakpoint
CREATE INDEX `framework_reference_by_framework` ON `framework_reference` (`framework_id`);
--> statement-breakpoint
CREATE TABLE `notice` (
	`id` text PRIMARY KEY NOT NULL,
	`notice_id` text NOT NULL,
	`process_id` text NOT NULL,
	`ocid` text NOT NULL,
	`source` text NOT NULL,
	`stage` text NOT NULL,
	`notice_type` text NOT NULL,
	`title` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`buyer_id` text,
	`buyer` text,
	`published` text NOT NULL,
	`published_at` text NOT NULL,
	`deadline` text,
	`deadline_at` text,
	`value` real,
	`currency` text,
	`value_basis` text,
	`cpv` text,
	`cpvs` text DEFAULT '[]' NOT NULL,
	`region` text,
	`regions` text DEFAULT '[]' NOT NULL,
	`status` text NOT NULL,
	`url` text,
	`is_tender` integer DEFAULT 0 NOT NULL,
	`detail` text NOT NULL,
	`digest` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `notice_by_notice_id` ON `notice` (`notice_id`,`process_id`);
--> statement-breakpoint
CREATE INDEX `notice_by_process` ON `notice` (`process_id`,`published_at`);
--> statement-breakpoint
CREATE INDEX `notice_by_seq` ON `notice` (`seq`,`id`);
--> statement-breakpoint
CREATE INDEX `notice_by_published` ON `notice` (`published_at`,`id`);
--> statement-breakpoint
CREATE INDEX `notice_by_buyer` ON `notice` (`buyer_id`,`published_at`);
--> statement-breakpoint
CREATE INDEX `notice_by_cpv` ON `notice` (`cpv`) WHERE gone = 0;
--> statement-breakpoint
CREATE INDEX `notice_gone` ON `notice` (`seq`) WHERE gone = 1;
--> statement-breakpoint
CREATE TABLE `process` (
	`id` text PRIMARY KEY NOT NULL,
	`ocid` text NOT NULL,
	`source` text NOT NULL,
	`title` text NOT NULL,
	`buyer_id` text,
	`stage` text NOT NULL,
	`status` text NOT NULL,
	`documents` text NOT NULL,
	`notices` text NOT NULL,
	`digest` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT 0 NOT NULL
, `title_key` text, `reference` text, `first_published` text, `last_published` text, `deadline` text, `awarded` text, `counted_as` text);
--> statement-breakpoint
CREATE INDEX `process_by_ocid` ON `process` (`ocid`);
--> statement-breakpoint
CREATE INDEX `process_by_seq` ON `process` (`seq`,`id`);
--> statement-breakpoint
CREATE INDEX `process_by_title` ON `process` (`buyer_id`,`title_key`) WHERE title_key IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `process_by_reference` ON `process` (`buyer_id`,`reference`) WHERE reference IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `process_mention` (
	`mention` text NOT NULL,
	`process_id` text NOT NULL,
	PRIMARY KEY(`mention`, `process_id`)
);
--> statement-breakpoint
CREATE INDEX `process_mention_by_process` ON `process_mention` (`process_id`);
--> statement-breakpoint
CREATE TABLE `contact` (
	`ocid` text NOT NULL,
	`release_id` text NOT NULL,
	`party_id` text NOT NULL,
	`name` text,
	`email` text,
	`telephone` text,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`ocid`, `release_id`, `party_id`)
);
--> statement-breakpoint
CREATE INDEX `contact_by_expiry` ON `contact` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `fetched_again` (
	`ocid` text NOT NULL,
	`release_id` text NOT NULL,
	`digest` text NOT NULL,
	`fetched_at` text NOT NULL,
	PRIMARY KEY(`ocid`, `release_id`, `digest`)
);
--> statement-breakpoint
CREATE INDEX `fetched_again_by_instant` ON `fetched_again` (`fetched_at`);
--> statement-breakpoint
CREATE TABLE `quarantine` (
	`id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`url` text NOT NULL,
	`record_id` text,
	`sha256` text NOT NULL,
	`bytes` blob,
	`first_seen_at` text NOT NULL,
	`last_seen_at` text NOT NULL,
	`sightings` integer DEFAULT 1 NOT NULL,
	`state` text DEFAULT 'held' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quarantine_identity` ON `quarantine` (`source`,`sha256`,`reason`);
--> statement-breakpoint
CREATE INDEX `quarantine_by_state` ON `quarantine` (`state`,`source`);
--> statement-breakpoint
CREATE TABLE `release` (
	`id` integer PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`ocid` text NOT NULL,
	`release_id` text NOT NULL,
	`digest` text NOT NULL,
	`page_sha256` text NOT NULL,
	`date` text NOT NULL,
	`fetched_at` text NOT NULL,
	`body` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `release_identity` ON `release` (`ocid`,`release_id`,`digest`);
--> statement-breakpoint
CREATE INDEX `release_by_source_date` ON `release` (`source`,`date`);
--> statement-breakpoint
CREATE INDEX `release_by_number` ON `release` (`source`,`release_id`,`date`);
--> statement-breakpoint
CREATE TRIGGER `fence_refuses` BEFORE INSERT ON `fence` WHEN NEW.ok <> 1 BEGIN SELECT RAISE(ABORT, 'lease lost'); END;
--> statement-breakpoint
CREATE TRIGGER `fence_keeps_nothing` AFTER INSERT ON `fence` BEGIN DELETE FROM `fence`; END;
--> statement-breakpoint
CREATE TRIGGER `buyer_named` AFTER INSERT ON `buyer` BEGIN
DELETE FROM `buyer_word` WHERE buyer_id = NEW.id;
INSERT INTO `buyer_word` SELECT DISTINCT value, NEW.id FROM json_each('["' || replace(NEW.name_key, ' ', '","') || '"]') WHERE length(value) > 2;
END;
--> statement-breakpoint
CREATE TRIGGER `buyer_renamed` AFTER UPDATE OF `name_key` ON `buyer` WHEN NEW.name_key <> OLD.name_key BEGIN
DELETE FROM `buyer_word` WHERE buyer_id = NEW.id;
INSERT INTO `buyer_word` SELECT DISTINCT value, NEW.id FROM json_each('["' || replace(NEW.name_key, ' ', '","') || '"]') WHERE length(value) > 2;
END;
--> statement-breakpoint
CREATE TRIGGER `buyer_dropped` AFTER DELETE ON `buyer` BEGIN DELETE FROM `buyer_word` WHERE buyer_id = OLD.id; END;
--> statement-breakpoint
CREATE TRIGGER `sic_code_listed` AFTER INSERT ON `registered_company` BEGIN
INSERT INTO `sic_code` SELECT value ->> 'code' AS learned, max(value ->> 'description') FROM json_each(NEW.record, '$.sic_codes')
WHERE value ->> 'description' IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `sic_code` WHERE code = value ->> 'code') GROUP BY learned;
END;
--> statement-breakpoint
CREATE TRIGGER `sic_code_relisted` AFTER UPDATE OF `record` ON `registered_company` WHEN NEW.record <> OLD.record BEGIN
INSERT INTO `sic_code` SELECT value ->> 'code' AS learned, max(value ->> 'description') FROM json_each(NEW.record, '$.sic_codes')
WHERE value ->> 'description' IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `sic_code` WHERE code = value ->> 'code') GROUP BY learned;
END;
--> statement-breakpoint
INSERT INTO `counter` (`name`, `value`) VALUES ('seq', 0);
--> statement-breakpoint
INSERT INTO `counter` (`name`, `value`) VALUES ('compile', 0);
--> statement-breakpoint
INSERT INTO `meta` (`name`, `value`) VALUES ('generation', lower(hex(randomblob(8))));
