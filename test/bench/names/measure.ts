import { statfs } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Database } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { findCompany } from '../../../search/names/companies.ts';
import { fillNames } from '../../generated/names/fill.ts';
import type { NamedCompany } from '../../generated/names/make.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { showTimes } from '../show-times.ts';
import { type AskedName, askedNames } from './asked.ts';

const AT_ONCE = 32;
const NAMES_ASKED = 5_000_000;

interface NamesBench {
  companies?: number | undefined;
  /** Names of each kind. */
  each?: number;
}

/** What a name takes on the disk while the register is filled. */
const BYTES_A_NAME = 1_200;

/** How long it takes to say which of millions of registered companies a name means, and how often it is the right one. */
export async function benchCompanySearch({ companies = NAMES_ASKED, each = 200 }: NamesBench = {}): Promise<void> {
  const folder = await makeFolder();
  const fitting = await fittingNames(folder.path, companies);
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  try {
    const fewer = fitting < companies ? `, fewer than ${companies}, as the disk has no room for more` : '';
    console.log(
      `\ncompany search by name over ${fitting} generated names${fewer}; ${each} names of each kind are asked`,
    );
    const startMs = performance.now();
    const drawn = await fillNames(catalogue, fitting, each * 12);
    console.log(`  filled in ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
    await askCompanies(catalogue, drawn, each);
  } finally {
    await catalogue.close();
    await folder.remove();
  }
}

/** As many of the names as half of the free disk holds. */
export async function fittingNames(folder: string, companies: number): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.min(companies, Math.floor((bavail * bsize) / 2 / BYTES_A_NAME));
}

/** Asks names of every kind, one after the other, and prints times and answers. A wrong answer is a billed mistake, none is free. */
async function askCompanies(catalogue: Database, drawn: readonly NamedCompany[], each: number): Promise<void> {
  const all: number[] = [];
  // Names are looked up in the API's own process: how long it keeps others waiting meanwhile.
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const beforeUse = process.cpuUsage();
  for (const [kind, asked] of askedNames(drawn, each)) {
    const { times, right, wrong } = await askKind(catalogue, asked, delay);
    all.push(...times);
    const told = `right ${right}, nothing ${asked.length - right - wrong}, wrong ${wrong} of ${asked.length}`;
    console.log(`  ${kind.padEnd(14)} ${showTimes(times)}   ${told}`);
  }
  const { user, system } = process.cpuUsage(beforeUse);
  console.log(
    `  ${'all'.padEnd(14)} ${showTimes(all)}   ${((user + system) / 1e3 / all.length).toFixed(2)} ms of processor each`,
  );
  console.log(`  event loop of the asking process: ${showDelay(delay)}`);
  await askTogether(catalogue, drawn, each);
}

/** The same misspelt names, many at once: what everybody else in the API waits meanwhile. */
async function askTogether(catalogue: Database, drawn: readonly NamedCompany[], each: number): Promise<void> {
  const names = askedNames(drawn, each).flatMap(([kind, asked]) => (kind.startsWith('near') ? asked : []));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  for (let from = 0; from < names.length; from += AT_ONCE) {
    await Promise.all(names.slice(from, from + AT_ONCE).map(({ name }) => findCompany(catalogue, name)));
  }
  delay.disable();
  const rate = Math.round((names.length / (performance.now() - startMs)) * 1_000);
  console.log(`  near, ${AT_ONCE} at once: ${rate} a second, event loop ${showDelay(delay)}`);
}

function showDelay(delay: ReturnType<typeof monitorEventLoopDelay>): string {
  const [p99, most] = [delay.percentile(99), delay.max].map((ns) => (ns / 1e6).toFixed(1));
  return `p99 ${p99} ms, most ${most} ms`;
}

async function askKind(
  catalogue: Database,
  asked: readonly AskedName[],
  delay: ReturnType<typeof monitorEventLoopDelay>,
): Promise<{ times: number[]; right: number; wrong: number }> {
  const times: number[] = [];
  let right = 0;
  let wrong = 0;
  for (const { name, number, key } of asked) {
    delay.enable();
    const startMs = performance.now();
    const { best } = await findCompany(catalogue, name);
    times.push(performance.now() - startMs);
    delay.disable();
    const given = best?.company_number ?? null;
    // A changed name may be the very name of another company: then that one is right.
    const isRight = given === number || (best && [nameKey(name), number && key].includes(nameKey(best.name)));
    if (isRight) right += 1;
    else if (given !== null) wrong += 1;
  }
  return { times, right, wrong };
}
