import type { Json } from './releases/notice.ts';

/** How a contract's value may be counted, as the public contract names it. */
export type CountedAs = 'sum' | 'shared' | 'framework_ceiling' | 'estimate' | 'not_believed' | 'not_stated';

interface ExpectedSupplier {
  /** As published; compare cleaned names. */
  name: string;
  /** The company number in eight characters. Absent: the releases state none, and none may be held. */
  number?: string;
}

export interface ExpectedContract {
  /** Every supplier once, in any order. */
  suppliers: ExpectedSupplier[];
  /** Pounds. Absent: no value is stated. */
  value?: number;
  countedAs: CountedAs;
  /** Whether the contract carries a warning. Absent: either is right. */
  warned?: boolean;
}

/** A case stands alone: judge it in a store that holds no other, for names, ids and titles recur among the cases. */
interface Case {
  /** Unique within its set. */
  name: string;
  /** A positive shows the fault that the rule mends; a near-miss looks like one and must stay as published. */
  kind: 'positive' | 'near-miss';
  /** Why a fair person could judge otherwise. */
  doubtful?: string;
  source: 'contracts_finder' | 'find_a_tender';
  /** In order of publication. Everything in them is invented. */
  releases: Json[];
}

/** A case whose contracts are judged. */
export interface ContractCase extends Case {
  expect: { contracts: ExpectedContract[] };
}

/** A case of which only "is it a framework (or a dynamic market)?" is judged. */
export interface FrameworkCase extends Case {
  expect: { framework: boolean };
}

/**
 * A contract as it must come out. A name may bring its company number: `['Pellworth Ltd', '99000001']`.
 * One supplier with a value counts as `sum`, several as `shared`, none stated as `not_stated`, unless `more` says otherwise.
 */
export function contract(
  names: (string | [string, string])[],
  value?: number,
  more: Partial<ExpectedContract> = {},
): ExpectedContract {
  const suppliers = names.map((name) => (typeof name === 'string' ? { name } : { name: name[0], number: name[1] }));
  if (value === undefined) return { suppliers, countedAs: 'not_stated', ...more };
  return { suppliers, value, countedAs: names.length > 1 ? 'shared' : 'sum', ...more };
}
