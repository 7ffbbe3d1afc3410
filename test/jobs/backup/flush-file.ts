import { setTimeout as pause } from 'node:timers/promises';
import { flushMeanwhile } from '../../../jobs/backup/flush.ts';

/** Longer than the pause between two flushes. */
const WRITING_MS = 100;

/** Flushes the file of its first argument while nothing is written to it, and says how that went. */
const [, , file = ''] = process.argv;
console.log(await flushMeanwhile(file, () => pause(WRITING_MS, 'written')).catch(String));
