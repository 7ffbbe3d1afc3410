import { setup as compile } from '../../support/compiled.ts';
import { readNumbers } from '../read-arguments.ts';
import { runWatchChaos } from './harness.ts';

const SIZE = { kills: 200, seed: 1 };
/** Of the faults, how many are printed; and after how many kills a line says how far it is. */
const SHOWN = 20;
const SPOKEN = 20;

/** Jobs that are killed while they match and send watches: true where everything arrived, in order, charged once. */
export async function runWatches(given: string[]): Promise<boolean> {
  const size = { ...SIZE, ...readNumbers(given, SIZE) };
  const startedMs = performance.now();
  const removeCompiled = await compile();
  console.log(`${size.kills} kills, seed ${size.seed}`);
  const onKill = (kills: number) => {
    if (kills % SPOKEN === 0) console.log(`  ${kills} kills`);
  };
  const { faults, ...figures } = await runWatchChaos({ ...size, onKill });
  console.log(`\nin ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  console.log(`  notices published     ${figures.notices}`);
  console.log(`  deliveries            ${figures.deliveries}, each charged once`);
  console.log(`  sent again            ${figures.repeated} times, under the same id with the same body`);
  console.log(`  watches resumed       ${figures.resumed}`);
  console.log(`faults: ${faults.length}`);
  for (const fault of faults.slice(0, SHOWN)) console.log(`  ${fault}`);
  await removeCompiled();
  return faults.length === 0;
}
