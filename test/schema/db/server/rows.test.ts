import { expect, it } from 'vitest';
import { joinRows, splitOutcomes } from '../../../../schema/db/server/rows.ts';

const row = '(?, ?)';
const sql = `INSERT INTO line (a, b) VALUES ${row} ON CONFLICT DO NOTHING`;
const add = (...args: (string | number)[]) => ({ sql, row, args });
const other = { sql: 'DELETE FROM line WHERE a = ?', args: [1] };

it('makes one statement of inserts of one text that follow each other, in the order of the batch', () => {
  expect(joinRows([add(1, 'a'), add(2, 'b'), other, other, add(3, 'c')])).toEqual([
    { statement: { sql: sql.replace(row, '(?, ?), (?, ?)'), args: [1, 'a', 2, 'b'] }, count: 2 },
    { statement: other, count: 1 },
    { statement: other, count: 1 },
    { statement: add(3, 'c'), count: 1 },
  ]);
});

it('joins no more than fifty, and none that do not say that they may be', () => {
  const counts = joinRows(Array.from({ length: 120 }, (_, index) => add(index, 'x'))).map(({ count }) => count);
  expect(counts).toEqual([50, 50, 20]);
  expect(joinRows([{ sql, args: [1, 'a'] }, add(2, 'b'), add(3, 'c')]).map(({ count }) => count)).toEqual([1, 2]);
  expect(joinRows([])).toEqual([]);
});

it('joins no inserts of two texts, though their rows read alike', () => {
  const elsewhere = { sql: `INSERT INTO place (a, b) VALUES ${row}`, row, args: [2, 'b'] };
  const batch = [add(1, 'a'), elsewhere, add(3, 'c')];
  expect(joinRows(batch)).toEqual(batch.map((statement) => ({ statement, count: 1 })));
});

it('counts the changes of joined ones at the first', () => {
  const joined = joinRows([other, add(1, 'a'), add(2, 'b'), add(3, 'c'), other]);
  const outcomes = [0, 3, 1].map((changes) => ({ rows: [], changes }));
  expect(splitOutcomes(joined, outcomes).map(({ changes }) => changes)).toEqual([0, 3, 0, 0, 1]);
});
