CREATE TRIGGER `transfer_line_once` BEFORE INSERT ON `transfer` WHEN EXISTS (SELECT 1 FROM `transfer` WHERE `id` = NEW.`id`) BEGIN SELECT RAISE(ABORT, 'this transfer is already in the ledger'); END;
