import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { ask } from '../../support/catalogue-services.ts';
import { findATender2015 } from './releases/find-a-tender.ts';
import type { Firm, Json } from './releases/notice.ts';
import { BUYER_PAIRS } from './sets-of-names.ts';
import { BUYER_SHORTFALLS } from './shortfalls/buyers.ts';
import { openStore, type Store, storeReleases } from './store.ts';
import { expectShortfalls, makeTally, tellPairs } from './tally.ts';
import type { BuyerAsPublished, BuyerPair } from './types.ts';

/**
 * Each pair is two notices in a catalogue of their own, stored as ingest does. The two are one body where the API gives
 * both notices one `buyer_id`.
 */
let store: Store;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

/** A buyer without an identifier has a number of the service's own, another in each notice, as is usual there. */
function asParty({ name, postcode, locality, identifier }: BuyerAsPublished, place: number): Firm {
  const [, scheme, number] = /^(GB-(?!FTS)[A-Z]+)-(.+)$/.exec(identifier ?? '') ?? [];
  return {
    id: identifier ?? `GB-FTS-${7001 + place}`,
    name,
    ...(scheme && number ? { scheme, number } : {}),
    more: { address: { postalCode: postcode, locality, countryName: 'United Kingdom' } },
  };
}

const noticeOf = (buyer: BuyerAsPublished, place: number): Json =>
  findATender2015({ process: `notice ${place}`, at: `2024-03-0${place + 1}T10:15:00`, buyer: asParty(buyer, place) });

async function areOne({ a, b }: BuyerPair): Promise<boolean> {
  const notices = [a, b].map(noticeOf);
  const [one, other] = await store.inOwnCatalogue(
    (catalogue) => storeReleases(catalogue, 'find_a_tender', notices),
    (room) => Promise.all(notices.map(async ({ ocid }) => (await ask(room, getNotice, { notice_id: ocid })).body)),
  );
  return one?.buyer_id !== undefined && one.buyer_id === other?.buyer_id;
}

const nameOf = ({ a, b }: BuyerPair) =>
  [a, b].map(({ name, ...more }) => [name.trim(), ...Object.values(more)].join(', ')).join(' | ');

describe('the pairs of buyers', () => {
  it('are one body or two as a reader said, but for the known shortfalls', async () => {
    const tally = makeTally('buyers');
    const sure = [];
    for (const pair of BUYER_PAIRS) {
      const given = await areOne(pair);
      tally.count({ kind: pair.same ? 'same' : 'different', doubtful: pair.doubtful, right: given === pair.same });
      if (pair.doubtful === undefined) sure.push({ name: nameOf(pair), expected: pair.same, given });
    }
    console.info(`${tally.tell()}\n${tellPairs('merges', sure)}`);
    expect(tally.size()).toBe(BUYER_PAIRS.length);
    expectShortfalls(sure, BUYER_SHORTFALLS);
  });
});
