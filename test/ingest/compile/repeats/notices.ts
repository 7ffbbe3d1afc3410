import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { COUNCIL, reference } from '../releases.ts';

export const OCID = 'ocds-b5fd17-11111111-2222-3333-4444-555555555555';
export const guid = (n: number) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`;

export interface Published {
  /** Default: 10:00 on the first of March, and a further hour for each notice. */
  at?: string;
  title?: string;
  description?: string;
  amount?: number;
  suppliers?: string[];
  award?: JsonObject;
  /** Further awards of the notice. */
  more?: JsonObject[];
}

export const awardOf = (
  number: number,
  { amount = 18_500, suppliers = ['Tidy Hedges Ltd'], award = {} }: Published,
): JsonObject => ({
  id: `${OCID}-${number}`,
  status: 'active',
  date: '2022-02-20T00:00:00Z',
  value: { amount, currency: 'GBP' },
  contractPeriod: { startDate: '2022-04-01T00:00:00Z', endDate: '2023-03-31T00:00:00Z' },
  suppliers: suppliers.map((name) => ({ id: name, name })),
  ...award,
});

/** The nth award notice of a process, its award under a number of its own. */
export function notice(n: number, published: Published = {}): JsonObject {
  const { at = `2022-03-01T${9 + n}:00:00Z`, title = 'Hedge cutting', description, more = [] } = published;
  return {
    ocid: OCID,
    id: `${guid(n)}-${1000 + n}`,
    date: at,
    tag: ['award'],
    buyer: reference(COUNCIL),
    parties: [COUNCIL],
    tender: { title, description, status: 'complete' },
    awards: [awardOf(n, published), ...more],
  };
}

/** So many suppliers' names. */
export const many = (count: number) =>
  Array.from({ length: count }, (_, index) => `Supplier ${String.fromCharCode(65 + index)} Ltd`);
