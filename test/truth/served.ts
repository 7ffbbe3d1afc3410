import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../../api/operation.ts';
import { lookupContract } from '../../api/operations/lookup-contract.ts';
import { lookupFramework } from '../../api/operations/lookup-framework.ts';
import { readOcdsPage } from '../../ingest/read-ocds.ts';
import { storePage } from '../../ingest/store.ts';
import type { Database } from '../../schema/database.ts';
import { openDatabase } from '../../schema/db.ts';
import { nameKey } from '../../schema/names.ts';
import { ask, openRoom, type Room } from '../api/operations/room.ts';
import { makeDatabase, makeFolder } from '../databases.ts';
import type { ContractCase, CountedAs, FrameworkCase } from './cases.ts';
import { releasePackage } from './releases/package.ts';

/** What is compared of a contract: names cleaned, `null` for what is not held. */
export interface JudgedContract {
  suppliers: { name: string; number: string | null }[];
  value: number | null;
  countedAs: CountedAs;
  /** Absent where the case does not say. */
  warned?: boolean;
}

export interface Judge {
  /** Every contract that the API answers of a case, stored by the functions of ingest in a catalogue of its own. */
  contractsOf(one: ContractCase): Promise<JudgedContract[]>;
  /** Whether the API knows a process of the case as a framework or dynamic market. */
  isFramework(one: FrameworkCase): Promise<boolean>;
  close(): Promise<void>;
}

type AnyCase = Pick<ContractCase, 'source' | 'releases'>;
type ContractBody = z.output<typeof lookupContract.output>;

/** What the public contract calls the class of a value, by what the answer calls it. */
const COUNTED_AS: { [valueClass: string]: CountedAs } = {
  sum: 'sum',
  shared: 'shared',
  framework_ceiling: 'framework_ceiling',
  estimate: 'estimate',
  absurd: 'not_believed',
  unstated: 'not_stated',
};

/** Stores cases and asks the API about them. Each case has an empty catalogue to itself, as firms and ids recur. */
export async function openJudge(): Promise<Judge> {
  const room = await openRoom();
  const folder = await makeFolder();
  const empty = join(folder.path, 'catalogue.db');
  const migrated = await makeDatabase(folder.path, 'catalogue');
  await migrated.close();
  let made = 0;
  async function inOwnCatalogue<T>(one: AnyCase, read: (own: Room) => Promise<T>): Promise<T> {
    made += 1;
    const path = join(folder.path, `case-${made}.db`);
    await copyFile(empty, path);
    const catalogue = await openDatabase({ url: `file:${path}`, durability: 'normal' });
    try {
      await storeCase(catalogue, one);
      return await read({ ...room, house: { ...room.house, catalogue } });
    } finally {
      await catalogue.close();
      await rm(path, { force: true });
    }
  }
  return {
    contractsOf: (one) => inOwnCatalogue(one, readContracts),
    isFramework: (one) => inOwnCatalogue(one, knowsFramework),
    async close() {
      await room.close();
      await folder.remove();
    },
  };
}

/** One page for each release, in order of publication, as the publisher serves them on the day. */
async function storeCase(catalogue: Database, { source, releases }: AnyCase): Promise<void> {
  for (const release of releases) {
    const bytes = Buffer.from(JSON.stringify(releasePackage(source, [release])));
    const page = readOcdsPage(bytes, { source, url: 'https://example.test/page' });
    const done = await storePage(catalogue, {
      source,
      fetchedAt: String(release.date),
      ...page,
      before: [],
      after: [],
    });
    expect([page.quarantined, done.refused, done.stored], 'every release is stored').toEqual([[], 0, 1]);
  }
}

async function readContracts(room: Room): Promise<JudgedContract[]> {
  const rows = await room.house.catalogue.read<{ id: string }>({ sql: 'SELECT id FROM contract WHERE gone = 0' });
  const answers = [];
  for (const { id } of rows) answers.push((await ask(room, lookupContract, { notice_id: id })).body);
  return inOrder(answers.map(toJudged));
}

function toJudged(body: ContractBody): JudgedContract {
  return {
    suppliers: body.suppliers.map((one) => ({ name: nameKey(one.name), number: one.companies_house_number ?? null })),
    value: body.value ?? body.stated_value ?? null,
    countedAs: COUNTED_AS[body.value_class ?? 'unstated'] ?? 'not_stated',
    warned: body.warnings.length > 0,
  };
}

async function knowsFramework(room: Room): Promise<boolean> {
  const { catalogue } = room.house;
  const rows = await catalogue.read<{ id: string }>({ sql: 'SELECT id FROM process WHERE gone = 0' });
  const found = [];
  for (const { id } of rows)
    found.push(
      (await ask(room, lookupFramework as unknown as Operation, { framework_id: id })).found.kind === 'answer',
    );
  return found.some(Boolean);
}

/** The contracts that a case expects, in the same words and order. */
export function expectedOf({ expect: { contracts } }: ContractCase): JudgedContract[] {
  return inOrder(
    contracts.map(({ suppliers, value, countedAs, warned }) => ({
      suppliers: suppliers.map(({ name, number }) => ({ name: nameKey(name), number: number ?? null })),
      value: value ?? null,
      countedAs,
      ...(warned === undefined ? {} : { warned }),
    })),
  );
}

/** The served contracts with a warning only where the expected one of the same place speaks of warnings. */
export function comparable(served: readonly JudgedContract[], expected: readonly JudgedContract[]): JudgedContract[] {
  return served.map((one, place) => {
    const { warned, ...rest } = one;
    const counterpart = expected[place];
    return counterpart !== undefined && counterpart.warned === undefined ? rest : one;
  });
}

function inOrder(contracts: readonly JudgedContract[]): JudgedContract[] {
  const text = (value: unknown) => JSON.stringify(value);
  const byText = (one: unknown, other: unknown) => (text(one) < text(other) ? -1 : 1);
  return contracts
    .map((one) => ({ ...one, suppliers: one.suppliers.toSorted(byText) }))
    .toSorted((one, other) => byText([one.suppliers, one.value], [other.suppliers, other.value]));
}
