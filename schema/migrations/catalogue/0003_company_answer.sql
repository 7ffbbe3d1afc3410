CREATE TABLE `company_answer` (
	`company_number` text PRIMARY KEY NOT NULL,
	`edition` integer DEFAULT 0 NOT NULL,
	`changed` integer DEFAULT 0 NOT NULL,
	`text` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `company_answer_by_edition` ON `company_answer` (`edition`);
--> statement-breakpoint
INSERT INTO `company_answer` (`company_number`) SELECT DISTINCT company_number FROM `company` WHERE company_number IS NOT NULL AND gone = 0;
--> statement-breakpoint
CREATE TRIGGER `company_answer_of_added` AFTER INSERT ON `company` WHEN NEW.company_number IS NOT NULL BEGIN
  UPDATE `company_answer` SET text = '', edition = 0, changed = changed + 1 WHERE company_number = NEW.company_number;
  INSERT INTO `company_answer` (`company_number`) SELECT NEW.company_number
  WHERE NOT EXISTS (SELECT 1 FROM `company_answer` WHERE company_number = NEW.company_number);
END;
--> statement-breakpoint
CREATE TRIGGER `company_answer_of_changed` AFTER UPDATE ON `company` WHEN OLD.company_number IS NOT NULL OR NEW.company_number IS NOT NULL BEGIN
  UPDATE `company_answer` SET text = '', edition = 0, changed = changed + 1 WHERE company_number IN (OLD.company_number, NEW.company_number);
  INSERT INTO `company_answer` (`company_number`) SELECT NEW.company_number
  WHERE NEW.company_number IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `company_answer` WHERE company_number = NEW.company_number);
END;
--> statement-breakpoint
CREATE TRIGGER `company_answer_of_dropped` AFTER DELETE ON `company` WHEN OLD.company_number IS NOT NULL BEGIN
  UPDATE `company_answer` SET text = '', edition = 0, changed = changed + 1 WHERE company_number = OLD.company_number;
END;
--> statement-breakpoint
CREATE TRIGGER `company_answer_of_registered` AFTER INSERT ON `registered_company` BEGIN
  UPDATE `company_answer` SET text = '', edition = 0, changed = changed + 1 WHERE company_number = NEW.company_number;
END;
--> statement-breakpoint
CREATE TRIGGER `company_answer_of_registered_changed` AFTER UPDATE ON `registered_company` BEGIN
  UPDATE `company_answer` SET text = '', edition = 0, changed = changed + 1 WHERE company_number IN (OLD.company_number, NEW.company_number);
END;
--> statement-breakpoint
CREATE TRIGGER `company_answer_of_registered_dropped` AFTER DELETE ON `registered_company` BEGIN
  UPDATE `company_answer` SET text = '', edition = 0, changed = changed + 1 WHERE company_number = OLD.company_number;
END;
