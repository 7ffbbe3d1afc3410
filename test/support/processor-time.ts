import { existsSync, readFileSync } from 'node:fs';

const STAT = '/proc/self/stat';
/** Linux counts in hundredths of a second, whatever the kernel's own clock. */
const TICK_MS = 10;

/** Processor time of this process and of its children that have ended, in milliseconds. Children are counted on Linux alone. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
}

function childrenMs(): number {
  if (!existsSync(STAT)) return 0;
  const stat = readFileSync(STAT, 'utf8');
  // The name of the program, which may hold blanks, ends with the last bracket; the third field follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
