DROP INDEX `idempotency_by_expiry`;--> statement-breakpoint
CREATE INDEX `idempotency_with_body` ON `idempotency` (`expires_at`) WHERE body IS NOT NULL;