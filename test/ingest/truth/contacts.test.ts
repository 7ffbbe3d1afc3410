import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { ask } from '../../support/catalogue-services.ts';
import { INVISIBLE_CASES } from './contacts/invisible.ts';
import { contractsFinder } from './releases/contracts-finder.ts';
import { COUNCIL, type Json } from './releases/notice.ts';
import { CONTACT_CASES } from './sets-of-names.ts';
import { CONTACT_SHORTFALLS } from './shortfalls/contacts.ts';
import { openStore, type Store, storeReleases } from './store.ts';
import { expectShortfalls, makeTally } from './tally.ts';
import type { ContactCase } from './types.ts';

/**
 * Each case is a notice of its own process whose buyer has the contact and whose description is the text. A contact reaches
 * no further than its own release, so one catalogue holds all of them.
 */
let store: Store;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

function publish(process: string, description: string, contactPoint?: Json): Json {
  return contractsFinder({
    process,
    description,
    buyer: { ...COUNCIL, ...(contactPoint && { more: { contactPoint } }) },
  });
}

/** What the API answers as the description of each notice. */
async function readDescriptions(releases: Json[]): Promise<string[]> {
  return store.inOwnCatalogue(
    (catalogue) => storeReleases(catalogue, 'contracts_finder', releases),
    async (room) => {
      const texts = [];
      for (const { ocid } of releases)
        texts.push((await ask(room, getNotice, { notice_id: ocid })).body.description ?? '');
      return texts;
    },
  );
}

const AT = /&#64;|&commat;|%40/gi;
const ENTITY = /&(?:lt|gt|amp|nbsp);/gi;

/** Letters and figures alone, so that a part is found however its blanks and marks are served. */
const squeeze = (text: string) =>
  text
    .replace(AT, '@')
    .replace(ENTITY, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, '');

function holds(served: string, { struck, kept }: ContactCase): boolean {
  return squeeze(served).includes(squeeze(struck ?? kept ?? ''));
}

describe('the contacts', () => {
  it('leave the texts of their release, and nothing else does, but for the known shortfalls', async () => {
    const contacts = CONTACT_CASES.map(({ name, text, contact }) => publish(name, text, contact));
    const served = await readDescriptions(contacts);
    const tally = makeTally('contacts');
    const judged = CONTACT_CASES.map((one, place) => {
      const text = served[place] ?? '';
      const expected = one.expect === 'kept';
      const given = holds(text, one);
      tally.count({ kind: one.expect, doubtful: one.doubtful, right: given === expected });
      return { name: one.name, doubtful: one.doubtful, text, expected, given };
    });
    console.info(tally.tell());
    expect(tally.size()).toBe(CONTACT_CASES.length);
    const sure = judged.filter(({ doubtful }) => doubtful === undefined);
    expectShortfalls(sure, CONTACT_SHORTFALLS);
  });
});

describe('the characters that nobody sees', () => {
  it('leave every text, and all others stay, but for the known shortfalls', async () => {
    const served = await readDescriptions(INVISIBLE_CASES.map(({ text }, place) => publish(`text ${place}`, text)));
    const tally = makeTally('invisible');
    const judged = INVISIBLE_CASES.map(({ text, expect: expected, why, doubtful }, place) => {
      const given = served[place] ?? '';
      tally.count({ kind: text === expected ? 'stays' : 'becomes', doubtful, right: given === expected });
      return { name: why, doubtful, expected, given };
    });
    console.info(tally.tell());
    expect(tally.size()).toBe(INVISIBLE_CASES.length);
    expectShortfalls(
      judged.filter(({ doubtful }) => doubtful === undefined),
      {},
    );
  });
});
