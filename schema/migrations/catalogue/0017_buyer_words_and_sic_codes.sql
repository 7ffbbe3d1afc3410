CREATE TABLE `buyer_word` (
	`word` text NOT NULL,
	`buyer_id` text NOT NULL,
	PRIMARY KEY(`word`, `buyer_id`)
);
--> statement-breakpoint
CREATE INDEX `buyer_word_by_buyer` ON `buyer_word` (`buyer_id`);--> statement-breakpoint
CREATE TABLE `sic_code` (
	`code` text PRIMARY KEY NOT NULL,
	`description` text NOT NULL
);
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
INSERT INTO `buyer_word` SELECT DISTINCT value, buyer.id FROM buyer, json_each('["' || replace(name_key, ' ', '","') || '"]') WHERE length(value) > 2;
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
INSERT INTO `sic_code` SELECT value ->> 'code' AS learned, max(value ->> 'description') FROM registered_company, json_each(record, '$.sic_codes')
WHERE value ->> 'description' IS NOT NULL GROUP BY learned;
