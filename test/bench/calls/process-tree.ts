import { readFile } from 'node:fs/promises';

/** Memory of one process of the service. */
export interface Memory {
  what: string;
  /** Kilobytes: resident; with what is shared divided among its users; and of these what is its own. */
  rss: number;
  pss: number;
  own: number;
}

export function sumOf(all: readonly Memory[], of: (one: Memory) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

/** @param kilobytes - as the system counts them */
export function megabytes(kilobytes: number): number {
  return Math.round(kilobytes / 1_024);
}

/** Of a process and all below it; nothing where the system does not say. @param what - names the first of them */
export async function readMemory(pid: number, what: string): Promise<Memory[]> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0);
  const below = await Promise.all((await childrenOf(pid)).map(async (child) => readMemory(child, await nameOf(child))));
  return [{ what, rss: of('Rss'), pss: of('Pss'), own: of('Pss_Anon') }, ...below.flat()];
}

/** Milliseconds of processor that a process and all below it have taken: of these the clock ticks a hundred times a second. */
export async function readCpuMs(pid: number): Promise<number> {
  const [, rest = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ');
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number);
  const below = await Promise.all((await childrenOf(pid)).map(readCpuMs));
  return below.reduce((sum, one) => sum + one, 10 * (user + system));
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

const READERS: Readonly<Record<string, string>> = {
  'embedded/reader': 'search reader',
  'export-rows': 'row reader',
  'summary/reader': 'summary reader',
  'find/reader': 'list or look-up reader',
};

async function nameOf(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return Object.entries(READERS).find(([path]) => command.includes(path))?.[1] ?? 'worker';
}
