import type { RunningDemo } from '../../demo/child.ts';

const ROUNDS = 20;
const QUERIES = [
  'query=maintenance',
  'query=cleaning%20services',
  'query=%22facilities%20management%22',
  'query=mainten',
  'query=maintenence',
  'query=software%20licences%20support',
  'query=*&cpv=45',
  'query=services&sort=-published',
  'query=works&value_min=100000',
];

/** Latency of searches one after the other over the demo's sample. */
export async function benchSearch({ url, key }: RunningDemo): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of QUERIES) times.push(await timeOne(`${url}/v1/notices/search?${query}`, key));
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  console.log(
    `\nnotice search over the sample, ${QUERIES.length} kinds of query: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
}

async function timeOne(address: string, key: string): Promise<number> {
  const startedMs = performance.now();
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
  return performance.now() - startedMs;
}
