import { type Era, severalReleases } from '../build-case.ts';
import type { ContractCase, ExpectedContract } from '../cases.ts';
import { type Award, type Firm, firm, type Notice } from '../releases/notice.ts';

/** The day on which the first notice of each era is published. */
const FIRST: { [era in Era]: string } = {
  '2017': '2020-03-05T10:15:00',
  '2020': '2020-03-05T10:15:00',
  today: '2024-03-05T10:15:00',
  old: '2024-03-05T10:15:00',
  UK6: '2025-06-05T10:15:00',
  UK7: '2025-06-05T10:15:00',
};

export const MINUTE = 1;
export const HOUR = 60;
export const DAY = 24 * HOUR;

export type Told = Omit<Notice, 'process' | 'at' | 'notice' | 'awards'> & { awards: Award[] };

/** A notice of one award or of several. */
export const told = (award: Award | Award[], more: Omit<Told, 'awards'> = {}): Told => ({
  awards: [award].flat(),
  ...more,
});

function after(era: Era, minutes: number): string {
  return new Date(Date.parse(`${FIRST[era]}Z`) + minutes * 60_000).toISOString().slice(0, 19);
}

/** Two or more notices of one process, each `minutes` after the one before; its awards are new ones unless it says otherwise. */
export function notices(
  kind: ContractCase['kind'],
  era: Era,
  name: string,
  minutes: number,
  each: Told[],
  contracts: ExpectedContract[],
  doubtful?: string,
): ContractCase {
  const before = (index: number) => each.slice(0, index).reduce((sum, { awards }) => sum + awards.length, 0);
  const dated = each.map((notice, index) => ({
    at: after(era, minutes * index),
    firstAward: 1 + before(index),
    ...notice,
  }));
  return severalReleases(kind, era, name, dated, contracts, doubtful);
}

export const BUILDER: Firm = firm('Fenwold Builders Ltd', {
  id: 'GB-CFS-40001',
  number: '99004001',
  street: '2 Kiln Way, Fenwold',
  postcode: 'ZE1 2FB',
});
export const PAINTER: Firm = firm('Orchard Decorating Limited', {
  id: 'GB-CFS-40002',
  number: '99004002',
  street: '8 Orchard Row, Fenwold',
  postcode: 'ZE1 3AD',
});
export const B: [string, string] = ['Fenwold Builders Ltd', '99004001'];
export const P: [string, string] = ['Orchard Decorating Limited', '99004002'];

/** The builder's award at a value. */
export const job = (value: number | null, more: Award = {}): Award => ({ firms: [BUILDER], value, ...more });

/** Notices that say one award again. */
export const corrected = (
  era: Era,
  name: string,
  minutes: number,
  each: Told[],
  contracts: ExpectedContract[],
  doubtful?: string,
) => notices('positive', era, `corrected: ${name}`, minutes, each, contracts, doubtful);
