import { openLog } from '../../../schema/process/log.ts';

/** Logs more than a pipe holds, says on standard error that it could, and ends with its standard input. */
const log = openLog({ LOG_LEVEL: 'info' }, 'test');
for (let line = 0; line < 2_000; line++) log.info({ line }, 'unread');
console.error('still here');
process.stdin.resume();
