CREATE TRIGGER `used_key_never_deleted` BEFORE DELETE ON `idempotency` WHEN OLD.`state` = 'done'
BEGIN SELECT RAISE(ABORT, 'the key of a charge is kept for good'); END;
--> statement-breakpoint
CREATE TRIGGER `used_key_never_changed` BEFORE UPDATE ON `idempotency` WHEN OLD.`state` = 'done' AND
  (OLD.`account_id`, OLD.`key`, OLD.`fingerprint`, OLD.`state`, OLD.`charge_id`, OLD.`credits_charged`, OLD.`line`)
    IS NOT (NEW.`account_id`, NEW.`key`, NEW.`fingerprint`, NEW.`state`, NEW.`charge_id`, NEW.`credits_charged`, NEW.`line`)
BEGIN SELECT RAISE(ABORT, 'the key of a charge is kept as it is'); END;
