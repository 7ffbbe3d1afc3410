import { z } from 'zod';
import { countKind } from '../../../schema/answers/shapes.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { listRegions, regionOfCode } from '../../../schema/reference/regions.ts';
import { LISTED_ROWS } from '../../../search/filters/listed.ts';
import { ROWS, rowOf, rowsOfKind } from '../../../search/filters/read.ts';
import type { AnyFilterRow } from '../../../search/filters/row.ts';
import { type CountedCode, countDivisions, readCpvNode } from '../../categories/cpv-tree.ts';
import { type Counted, countRegion } from '../../categories/kept-counts.ts';
import { InvalidInput } from '../../contract/errors.ts';
import { defineOperation, type Found } from '../../contract/operation.ts';
import { readSources } from '../../reads/sources.ts';
import { inputOf } from '../../validation/inputs.ts';
import { namesOf } from '../shared/inputs.ts';

/** The filters of searches, and those of lists. */
const ALL: readonly AnyFilterRow[] = [...ROWS, ...LISTED_ROWS];
const NAMES = [...new Set(ALL.map(({ name }) => name))];

const counted = {
  notice_count: z
    .int()
    .optional()
    .describe('Notices with it first, or with one below it, as of ten minutes ago at most'),
  notice_count_is: countKind.optional().describe('Counted to 10,000'),
};
export const filterValue = z.object({
  code: z.string().describe('What to send'),
  name: z.string().optional().describe('What it is called, or means'),
  ...counted,
});
export const describedFilter = z.object({
  name: z.string(),
  meaning: z.string().describe('What it is, and how its values are written'),
  takes: z
    .enum(['values', 'one_value', 'pounds', 'number', 'day', 'id', 'true_or_false'])
    .describe('values: several, with commas between; day: YYYY-MM-DD'),
  datasets: z.array(z.string()).describe('What it filters: in the search or list, and in the export of that name'),
  default: z.string().optional().describe('What it is where none is sent'),
  example: z.string().optional().describe('A value as it is sent'),
  values: z.array(filterValue).optional().describe('Of CPV and regions one level, where name or under asks for it'),
});

const input = z.strictObject({
  name: z.enum(NAMES).optional().describe('One filter; of cpv and region with their widest codes, counted'),
  under: z
    .string()
    .trim()
    .regex(/^(?:\d{2,8}(?:-\d)?|(?:UK|TL)[A-Z0-9]{0,3})$/i, 'Input should be a CPV code or an ITL code')
    .optional()
    .meta({ description: 'CPV or ITL code: the codes next below it, counted', examples: ['45'] }),
});

type DescribedFilter = z.input<typeof describedFilter>;
type Body = { items: DescribedFilter[]; count: number; under?: z.input<typeof filterValue> };

export const describeFilters = defineOperation({
  name: 'describe_filters',
  title: 'Filters and what their values mean',
  description:
    'Use this when you need exact values: what each filter is, its values and what they mean. ' +
    'Go down the CPV and region trees with under.',
  credits: 0,
  input,
  output: z.object({
    items: z.array(describedFilter),
    count: z.int(),
    under: filterValue.optional().describe('The code that was asked for'),
  }),
  bindings: [
    {
      method: 'GET',
      path: '/filters',
      operationId: 'describe_filters',
      summary: 'Filters and what their values mean',
      description:
        'Answers every filter of the searches and exports: what it is, how it is written, and its values with their meanings. With name=cpv or name=region it lists the widest codes, and with under the codes next below one, each with the number of its notices.',
      inputs: namesOf(input),
      example: { under: '45' },
    },
  ],
  example: { under: '45' },
  findsNothing: true,
  stated: ['items.name', 'items.meaning', 'items.values.code', 'items.values.name', 'items.values.notice_count'],
  check: ({ name, under }) => checkTree(name, under),
  async run({ name, under }, { catalogue }): Promise<Found<Body>> {
    if (under !== undefined) return describeBelow(catalogue, under);
    const rows = name === undefined ? ALL : ALL.filter((row) => row.name === name);
    const items = await Promise.all(
      rows.map((row) => describeRow(catalogue, row, name !== undefined && row.kind !== 'listed')),
    );
    return { kind: 'answer', body: { items, count: items.length } };
  },
});

/** A filter without a tree has nothing below a code. @throws InvalidInput */
function checkTree(name: string | undefined, under: string | undefined): void {
  if (name === undefined || under === undefined || rowOf(name)?.values === treeOf(under)) return;
  const msg = `${under} is a code of ${rowsOfKind(treeOf(under))[0]?.name}, not of ${name}`;
  throw new InvalidInput({ path: ['under'], msg, type: 'value_error', input: under });
}

function treeOf(code: string): 'cpv' | 'region' {
  return /^\d/.test(code) ? 'cpv' : 'region';
}

/** One row of the table; the widest codes of a tree are counted only if it is the only filter requested. */
async function describeRow(catalogue: Database, row: AnyFilterRow, isAlone: boolean): Promise<DescribedFilter> {
  const values = await valuesOf(catalogue, row, isAlone);
  const takes = inputKind(row);
  const input = inputOf(row);
  const usual = input.safeParse(undefined).data;
  const example = row.example ?? (input.meta()?.examples as unknown[] | undefined)?.[0];
  return {
    name: row.name,
    meaning: takes === 'id' && row.several ? `${row.words} Several may be sent, with commas between.` : row.words,
    takes,
    datasets: [...row.datasets],
    ...(usual !== undefined && { default: String(usual) }),
    ...(example !== undefined && { example: String(example) }),
    ...(values && { values }),
  };
}

function inputKind({ values, several }: AnyFilterRow): DescribedFilter['takes'] {
  if (values === 'pounds' || values === 'number' || values === 'day') return values;
  if (values === 'flag') return 'true_or_false';
  if (values === 'buyer' || values === 'company' || values === 'framework') return 'id';
  return several ? 'values' : 'one_value';
}

async function valuesOf(
  catalogue: Database,
  row: AnyFilterRow,
  isAlone: boolean,
): Promise<DescribedFilter['values'] | undefined> {
  if (row.values === 'cpv') return isAlone ? (await countDivisions(catalogue)).map(toCpvValue) : undefined;
  if (row.values === 'region') return isAlone ? countRegions(catalogue, 'UK') : undefined;
  if (row.values === 'source') {
    const sources = await readSources(catalogue);
    return sources.filter(({ kind }) => kind === 'notices').map(({ id, title }) => ({ code: id, name: title }));
  }
  const named: Readonly<Record<string, string | readonly string[]>> = { ...row.called, ...row.meanings };
  const values = new Set([...(row.choices ?? []), ...Object.keys(named)]);
  if (values.size === 0) return undefined;
  return [...values].map((code) => {
    const name = [named[code] ?? []].flat()[0];
    return { code, ...(name !== undefined && { name }) };
  });
}

/** The level below a code, in the code's own tree. */
async function describeBelow(catalogue: Database, under: string): Promise<Found<Body>> {
  const kind = treeOf(under);
  const level = await (kind === 'cpv' ? readCpvLevel(catalogue, under) : readRegionLevel(catalogue, under));
  if (!level)
    return {
      kind: 'nothing',
      message: `no ${kind === 'cpv' ? 'CPV code begins with' : 'region is known as'} ${under}`,
    };
  const rows = await Promise.all(rowsOfKind(kind).map((row) => describeRow(catalogue, row, false)));
  const items = rows.map((row) => ({ ...row, values: level.below }));
  return { kind: 'answer', body: { items, count: items.length, under: level.at } };
}

interface Level {
  at: z.input<typeof filterValue>;
  below: z.input<typeof filterValue>[];
}

async function readCpvLevel(catalogue: Database, code: string): Promise<Level | undefined> {
  const node = await readCpvNode(catalogue, code.replace(/-\d$/, ''));
  return node && { at: toCpvValue(node), below: node.narrower.map(toCpvValue) };
}

function toCpvValue({ code, name, ...counts }: CountedCode): z.input<typeof filterValue> {
  return { code, ...(name !== undefined && { name }), ...toCount(counts) };
}

function toCount({ notices, notices_is }: Counted) {
  return { notice_count: notices, notice_count_is: notices_is };
}

async function readRegionLevel(catalogue: Database, given: string): Promise<Level | undefined> {
  const region = regionOfCode(given);
  if (!region?.code) return undefined;
  const { code, name } = region;
  return {
    at: { code: toItl(code), name, ...toCount(await countRegion(catalogue, code)) },
    below: await countRegions(catalogue, code),
  };
}

/** The regions directly within one, each with its notices; below the whole country, those of level 1. */
function countRegions(catalogue: Database, code: string): Promise<z.input<typeof filterValue>[]> {
  const within = listRegions().filter((one) => one.code.length === code.length + 1 && one.code.startsWith(code));
  return Promise.all(
    within.map(async ({ code: own, name }) => {
      const counts = await countRegion(catalogue, own);
      return { code: toItl(own), name, ...toCount(counts) };
    }),
  );
}

/** ITL codes begin with `TL`; rows have the NUTS form. */
function toItl(code: string): string {
  return code.replace(/^UK/, 'TL');
}
