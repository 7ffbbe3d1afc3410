import { performance } from 'node:perf_hooks';
import { ACCEPT, REGISTER_SCORES } from '../../../ingest/party/match/suppliers.ts';
import type { RegisterMethod } from '../../../ingest/party/match/types.ts';
import { REGISTER_RATES } from '../../generated/register/companies.ts';
import { COUNTRY_SAID, OTHER_RATES } from '../../generated/register/other-suppliers.ts';
import { SIGHTING_RATES } from '../../generated/register/sightings.ts';
import { isRight, type Matched, matchAll, storeRegister } from '../../generated/register/store.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { NUMBER_RATES, readNumbers } from './numbers.ts';

const COMPANIES_A_SIGHTING = 5;

/**
 * How often suppliers without a number are tied to the right company of a generated register, and how long that takes.
 * `companies`: rows of that register, the dissolved among them.
 */
export async function benchMatching(companies = 1_000_000): Promise<void> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  try {
    console.log(`\nsuppliers without a number against a generated register of ${companies} companies`);
    console.log(`  register: ${JSON.stringify(REGISTER_RATES)}`);
    console.log(`  suppliers: ${JSON.stringify(SIGHTING_RATES)}`);
    console.log(`  no companies: ${JSON.stringify(OTHER_RATES)}, country said: ${COUNTRY_SAID}`);
    const startMs = performance.now();
    const sightings = Math.floor(companies / COMPANIES_A_SIGHTING);
    const drawn = await storeRegister(catalogue, { companies, sightings });
    console.log(`  stored in ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
    const { matched, tookMs } = await matchAll(catalogue, drawn);
    printFigures(matched);
    const { matched: guessed } = await matchAll(catalogue, drawn, 0);
    for (const method of METHODS.filter((one) => REGISTER_SCORES[one] < ACCEPT)) printMethod(method, guessed);
    console.log(`  ${(tookMs / drawn.length).toFixed(2)} ms a supplier, in batches as ingest asks`);
    printNumbers(companies, COMPANIES_A_SIGHTING);
    console.log('  These figures hold for the rates above. They prove nothing of the live register and its suppliers.');
  } finally {
    await catalogue.close();
    await folder.remove();
  }
}

const METHODS = Object.keys(REGISTER_SCORES) as RegisterMethod[];

function printMethod(method: RegisterMethod, all: readonly Matched[]): void {
  const listed = all.filter(({ sighting }) => sighting.truth !== null).length;
  const own = all.filter(({ match }) => match?.method === method);
  const good = own.filter(isRight).length;
  const score = `score ${REGISTER_SCORES[method]}${REGISTER_SCORES[method] < ACCEPT ? ': not believed' : ''}`;
  console.log(`  ${method.padEnd(22)} ${precisionOf(good, own.length)}, recall ${percent(good, listed)}, ${score}`);
}

function precisionOf(good: number, all: number): string {
  return `precision ${percent(good, all)} (${all - good} wrong of ${all})`;
}

/** What became of the numbers that suppliers were published with. */
function printNumbers(companies: number, each: number): void {
  console.log(`  published as company numbers: ${JSON.stringify(NUMBER_RATES)}`);
  for (const { kind, published, followed, right, doubted } of readNumbers(companies, each))
    console.log(
      `  ${kind.padEnd(22)} ${published} published, ${followed} followed, ${right} rightly; ${doubted} doubted, as the company has another name`,
    );
}

function printFigures(all: readonly Matched[]): void {
  const listed = all.filter(({ sighting }) => sighting.truth !== null);
  const answered = all.filter(({ match }) => match !== null);
  const right = answered.filter(isRight);
  for (const method of METHODS.filter((one) => REGISTER_SCORES[one] >= ACCEPT)) printMethod(method, all);
  console.log(
    `  ${`accepted at ${ACCEPT}`.padEnd(22)} ${precisionOf(right.length, answered.length)}, recall ${percent(right.length, listed.length)} of ${listed.length} on the register`,
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
