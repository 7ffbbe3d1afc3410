import { performance } from 'node:perf_hooks';
import { ACCEPT, REGISTER_SCORES } from '../../ingest/match/match.ts';
import { makeDatabase, makeFolder } from '../databases.ts';
import { COUNTRY_SAID, OTHER_RATES } from './matching-others.ts';
import { REGISTER_RATES } from './matching-register.ts';
import { SIGHTING_RATES } from './matching-sightings.ts';
import { isRight, type Matched, matchAll, storeRegister } from './matching-world.ts';

export interface MatchingBench {
  /** Generated companies, the dissolved among them (default 1,000,000). */
  companies?: number;
  /** Suppliers without a company number (default 20,000). */
  sightings?: number;
}

/** How often suppliers without a number are tied to the right company of a generated register, and how long that takes. */
export async function benchMatching({ companies = 1_000_000, sightings = 20_000 }: MatchingBench = {}): Promise<void> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  try {
    console.log(`\nsuppliers without a number against a generated register of ${companies} companies`);
    console.log(`  register: ${JSON.stringify(REGISTER_RATES)}`);
    console.log(`  suppliers: ${JSON.stringify(SIGHTING_RATES)}`);
    console.log(`  no companies: ${JSON.stringify(OTHER_RATES)}, country said: ${COUNTRY_SAID}`);
    const startMs = performance.now();
    const drawn = await storeRegister(catalogue, { companies, sightings });
    console.log(`  stored in ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
    const { matched, tookMs } = await matchAll(catalogue, drawn);
    printFigures(matched);
    console.log(`  ${(tookMs / drawn.length).toFixed(2)} ms a supplier, in batches as ingest asks`);
    console.log('  These figures hold for the rates above. They prove nothing of the live register and its suppliers.');
  } finally {
    await catalogue.close();
    await folder.remove();
  }
}

export function printFigures(all: readonly Matched[]): void {
  const listed = all.filter(({ sighting }) => sighting.truth !== null);
  const answered = all.filter(({ match }) => match !== null);
  const right = answered.filter(isRight);
  for (const [method, score] of Object.entries(REGISTER_SCORES)) {
    const own = answered.filter(({ match }) => match?.method === method);
    const good = own.filter(isRight).length;
    const share = `recall ${percent(good, listed.length)}`;
    console.log(
      `  ${method.padEnd(22)} precision ${percent(good, own.length)} (${own.length - good} wrong of ${own.length}), ${share}, score ${score}`,
    );
  }
  console.log(
    `  ${`accepted at ${ACCEPT}`.padEnd(22)} precision ${percent(right.length, answered.length)} (${answered.length - right.length} wrong of ${answered.length}), recall ${percent(right.length, listed.length)} of ${listed.length} on the register`,
  );
  printByKind('name', listed, ({ sighting }) => sighting.name);
  printByKind('address', listed, ({ sighting }) => sighting.address);
  const others = all.filter(({ sighting }) => sighting.truth === null);
  const kept = others.filter(isRight).length;
  console.log(
    `  left alone as they should be: ${percent(kept, others.length)} of ${others.length} that are not listed`,
  );
}

function printByKind(title: string, all: readonly Matched[], kindOf: (one: Matched) => string): void {
  const kinds = [...new Set(all.map(kindOf))].toSorted();
  const shares = kinds.map((kind) => {
    const own = all.filter((one) => kindOf(one) === kind);
    return `${kind} ${percent(own.filter(isRight).length, own.length)}`;
  });
  console.log(`  recall by ${title}: ${shares.join(', ')}`);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(2)}%`;
}
