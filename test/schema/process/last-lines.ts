import { pbkdf2 } from 'node:crypto';
import { openLog } from '../../../schema/process/log.ts';

/** Says two lines while every thread that could write them later is at work, and ends at once. */
for (let thread = 0; thread < 4; thread++) pbkdf2('a', 'b', 300_000, 64, 'sha512', () => undefined);
const log = openLog({ LOG_LEVEL: 'info' }, 'test');
log.info('stopping');
log.info('stopped');
process.exit(0);
