import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Database, Statement } from '../../schema/database.ts';
import { nameKey } from '../../schema/names.ts';
import { findCompany } from '../../search/companies.ts';
import { makeDatabase, makeFolder } from '../databases.ts';
import { type Dice, makeDice } from './matching-names.ts';
import { type BenchCompany, makeRegister } from './matching-register.ts';
import { showTimes } from './show-times.ts';

const BATCH_COMPANIES = 10_000;
/** What the bulk file says of a company takes about this much; names are looked for among rows of that size. */
const RECORD = JSON.stringify({ said: 'x'.repeat(600) });
const INSERT = `INSERT INTO registered_company (company_number, name, name_key, status, category, record, digest, seq)
  VALUES (?, ?, ?, ?, 'Private Limited Company', '${RECORD}', '', 1)`;
const INSERT_PREVIOUS = 'INSERT OR IGNORE INTO previous_name (name_key, company_number, name) VALUES (?, ?, ?)';
/** Filled before it is indexed: an index that grows at random is what takes the time, and it is not what is asked here. */
const BY_NAME = 'registered_company_by_name_key';

type Kind = 'exact' | 'cleaned' | 'previous name' | 'prefix' | 'near' | 'number' | 'unknown';

/** How long it takes to say which of millions of registered companies a name means, and how often it is the right one. */
export async function benchCompanySearch({ companies = 5_000_000, each = 200 } = {}): Promise<void> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  try {
    const drawn = await storeNames(catalogue, companies, each * 4);
    console.log(`\ncompany search by name over ${companies} generated names, ${each} of each kind`);
    await askAll(catalogue, drawn, each);
  } finally {
    await catalogue.close();
    await folder.remove();
  }
}

/** Stores a generated register; gives companies of it at equal distances. */
async function storeNames(catalogue: Database, companies: number, samples: number): Promise<BenchCompany[]> {
  await catalogue.write([{ sql: `DROP INDEX ${BY_NAME}` }]);
  const drawn: BenchCompany[] = [];
  const gap = Math.max(1, Math.floor(companies / samples));
  let batch: Statement[] = [];
  let serial = 0;
  for (const company of makeRegister(companies)) {
    serial += 1;
    if (serial % gap === 0) drawn.push(company);
    batch.push(...rowsOf(company));
    if (batch.length < BATCH_COMPANIES) continue;
    await catalogue.write(batch);
    batch = [];
  }
  await catalogue.write([...batch, { sql: `CREATE INDEX ${BY_NAME} ON registered_company (name_key)` }]);
  return drawn;
}

function rowsOf({ number, name, previous, dissolved }: BenchCompany): Statement[] {
  return [
    { sql: INSERT, args: [number, name, nameKey(name), dissolved ? 'Dissolved' : 'Active'] },
    ...previous.map((before) => ({ sql: INSERT_PREVIOUS, args: [nameKey(before.name), number, before.name] })),
  ];
}

async function askAll(catalogue: Database, drawn: BenchCompany[], each: number): Promise<void> {
  const dice = makeDice(3);
  const all: number[] = [];
  // The names are looked up in the API's own process: how long it keeps others waiting meanwhile.
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (const kind of Object.keys(ASKED) as Kind[]) {
    const asked = drawn.flatMap((company) => ASKED[kind](dice, company) ?? []).slice(0, each);
    const times: number[] = [];
    let right = 0;
    for (const { name, number } of asked) {
      delay.enable();
      const startMs = performance.now();
      const { best } = await findCompany(catalogue, name);
      times.push(performance.now() - startMs);
      delay.disable();
      if ((best?.company_number ?? null) === number) right += 1;
    }
    all.push(...times);
    console.log(`  ${kind.padEnd(14)} ${showTimes(times)}   right ${right} of ${asked.length}`);
  }
  console.log(`  ${'all'.padEnd(14)} ${showTimes(all)}`);
  console.log(`  event loop of the asking process: p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`);
}

interface Asked {
  name: string;
  number: string | null;
}

const ASKED: Record<Kind, (dice: Dice, company: BenchCompany) => Asked | null> = {
  exact: (_dice, { name, number }) => ({ name, number }),
  cleaned: (_dice, { stem, number }) => ({ name: `${stem} Ltd.`, number }),
  'previous name': (_dice, { previous, number }) => (previous[0] ? { name: previous[0].name, number } : null),
  prefix: (_dice, { stem, number }) => ({ name: stem.slice(0, Math.ceil(stem.length * 0.8)), number }),
  near: (dice, { stem, number }) => ({ name: misspell(dice, stem), number }),
  number: (_dice, { number }) => ({ name: number, number }),
  unknown: (dice) => ({ name: letters(dice, 24), number: null }),
};

/** A letter changed, left out, doubled, or swapped with the next, anywhere. */
function misspell(dice: Dice, name: string): string {
  const at = dice.below(name.length - 1);
  const [before, here, next, after] = [name.slice(0, at), name[at] ?? '', name[at + 1] ?? '', name.slice(at + 2)];
  const slips = [
    `${before}${letters(dice, 1)}${next}${after}`,
    `${before}${next}${after}`,
    `${before}${here}${here}${next}${after}`,
    `${before}${next}${here}${after}`,
  ] as const;
  return slips[dice.below(slips.length)] ?? name;
}

function letters(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => String.fromCharCode(97 + dice.below(26))).join('');
}
