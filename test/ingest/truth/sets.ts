import type { ContractCase, FrameworkCase } from './cases.ts';
import { lots, otherwiseParted } from './corrections/lots.ts';
import { notReplaced } from './corrections/not-replaced.ts';
import { powerOfTen } from './corrections/power-of-ten.ts';
import { replaced } from './corrections/replaced.ts';
import { replacedSuppliers } from './corrections/replaced-suppliers.ts';
import { byField } from './frameworks/by-field.ts';
import { byWords } from './frameworks/by-words.ts';
import { callOffs } from './frameworks/call-offs.ts';
import { otherPurchases } from './frameworks/other-purchases.ts';
import { changingIds } from './suppliers/changing-ids.ts';
import { inline } from './suppliers/inline.ts';
import { inlineDetails } from './suppliers/inline-details.ts';
import { numberedInRelease } from './suppliers/numbered-in-release.ts';
import { contractSuppliers } from './suppliers/of-contracts.ts';
import { oneSupplier } from './suppliers/one-supplier.ts';
import { otherParties } from './suppliers/other-parties.ts';
import { references } from './suppliers/references.ts';
import { sharedId } from './suppliers/shared-id.ts';
import { spellings } from './suppliers/spellings.ts';

export const SUPPLIERS: readonly ContractCase[] = [
  ...inline,
  ...inlineDetails,
  ...sharedId,
  ...changingIds,
  ...references,
  ...contractSuppliers,
  ...numberedInRelease,
  ...spellings,
  ...oneSupplier,
  ...otherParties,
];

export const CORRECTIONS: readonly ContractCase[] = [
  ...replaced,
  ...replacedSuppliers,
  ...powerOfTen,
  ...lots,
  ...otherwiseParted,
  ...notReplaced,
];

export const FRAMEWORKS: readonly FrameworkCase[] = [...byField, ...byWords, ...callOffs, ...otherPurchases];
