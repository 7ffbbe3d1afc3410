import { expect, it } from 'vitest';
import { hideRemovedIds } from '../../../schema/catalogue/changes/remove.ts';
import { listBuyers } from '../../../search/directory/buyers.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { buyerRow } from '../../support/seed.ts';
import { setSeq } from '../index/notice-rows.ts';

it.each([
  ['before its id is hidden in the change log', true],
  ['after it', false],
])('a buyer whose row a takedown removed leaves a list that is read on %s', async (_when, readsBetween) => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const names = async () => (await listBuyers(catalogue, { limit: 10 }))?.entries.map(({ name }) => name).toSorted();
  const bump = { sql: "UPDATE counter SET value = value + 1 WHERE name = 'seq'" };
  const seq = "(SELECT value FROM counter WHERE name = 'seq')";
  await catalogue.write([
    bump,
    buyerRow('name-jo-bee-1', 'Jo Bee', { seq: 1 }),
    buyerRow('uk-other', 'Other', { seq: 1 }),
  ]);
  expect(await names()).toEqual(['Jo Bee', 'Other']);
  await catalogue.write([
    bump,
    { sql: `UPDATE buyer SET gone = 1, seq = ${seq} WHERE id = 'name-jo-bee-1'` },
    { sql: `UPDATE buyer SET seq = ${seq} WHERE id = 'uk-other'` },
    { sql: "DELETE FROM buyer WHERE id = 'name-jo-bee-1'" },
  ]);
  if (readsBetween) await names();
  await hideRemovedIds(catalogue, []);
  expect(await names()).toEqual(['Other']);
  await catalogue.close();
  await folder.remove();
});

it('a buyer that came again after a takedown is in a list that was not read in between', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const names = async () => (await listBuyers(catalogue, { limit: 10 }))?.entries.map(({ name }) => name);
  await catalogue.write([setSeq(1), buyerRow('name-jo-bee-1', 'Jo Bee', { seq: 1 })]);
  expect(await names()).toEqual(['Jo Bee']);
  await catalogue.write([
    setSeq(2),
    { sql: "UPDATE buyer SET gone = 1, seq = 2 WHERE id = 'name-jo-bee-1'" },
    { sql: "DELETE FROM buyer WHERE id = 'name-jo-bee-1'" },
  ]);
  await hideRemovedIds(catalogue, []);
  await catalogue.write([setSeq(3), buyerRow('name-jo-bee-1', 'Jo Bee', { seq: 3 })]);
  expect(await names()).toEqual(['Jo Bee']);
  await catalogue.close();
  await folder.remove();
});
