ALTER TABLE `watch_delivery` ADD `refused_since` text;--> statement-breakpoint
UPDATE `watch_delivery` SET refused_since = substr(error, length('the mail server refuses the address for now, since ') + 1)
  WHERE status = 'waiting' AND error LIKE 'the mail server refuses the address for now, since %';
