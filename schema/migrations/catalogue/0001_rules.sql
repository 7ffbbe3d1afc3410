CREATE TRIGGER `fence_refuses` BEFORE INSERT ON `fence` WHEN NEW.ok <> 1 BEGIN SELECT RAISE(ABORT, 'lease lost'); END;
--> statement-breakpoint
CREATE TRIGGER `fence_keeps_nothing` AFTER INSERT ON `fence` BEGIN DELETE FROM `fence`; END;
--> statement-breakpoint
INSERT INTO `counter` (`name`, `value`) VALUES ('seq', 0);
--> statement-breakpoint
INSERT INTO `meta` (`name`, `value`) VALUES ('generation', lower(hex(randomblob(8))));
