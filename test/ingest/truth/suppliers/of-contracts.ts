import { type ContractCase, contract } from '../cases.ts';
import { C, CLEANING, J, JOINERY, R, ROOFING, under } from '../firms.ts';
import { tenderParty } from '../releases/find-a-tender.ts';
import { reference } from '../releases/notice.ts';
import { found } from './references.ts';

const a = under('GB-CFS-61', JOINERY);
const b = under('GB-CFS-62', ROOFING);
const c = under('GB-CFS-63', CLEANING);

/** Find a Tender: suppliers whom the contract names, or an identifier without a scheme. */
export const contractSuppliers: ContractCase[] = [
  found(
    'old',
    'a number without a scheme',
    [{ firms: [under('GB-FTS-801', JOINERY)], value: 119_000 }],
    [contract([J], 119_000)],
    {
      parties: [
        tenderParty(
          under('GB-FTS-801', { ...JOINERY, number: undefined, more: { identifier: { legalName: J[0], id: J[1] } } }),
        ),
      ],
    },
  ),
  found(
    'UK6',
    'a consortium is one award with three firms',
    [{ firms: [a, b, c], value: 122_000 }],
    [contract([J, R, C], 122_000)],
  ),
  found(
    'old',
    'the contract names the suppliers, the award does not',
    [{ suppliers: [], value: 120_000, contract: { suppliers: [reference(a), reference(b)] } }],
    undefined,
    {
      parties: [tenderParty(a, []), tenderParty(b, [])],
    },
  ),
  found(
    'UK7',
    'the contract names the supplier inline, the award has no list',
    [{ value: 121_000, contract: { suppliers: [tenderParty(c)] } }],
    [contract([C], 121_000)],
    { parties: [] },
  ),
  found(
    'UK7',
    'two awards without lists, a contract each with its supplier',
    [
      { value: 31_500, title: 'North', contract: { suppliers: [reference(a)] } },
      { value: 32_500, title: 'South', contract: { suppliers: [reference(c)] } },
    ],
    [contract([J], 31_500), contract([C], 32_500)],
    { parties: [tenderParty(a), tenderParty(c)] },
  ),
  found(
    'UK7',
    'the award names one, the contract another as well',
    [{ firms: [a], value: 33_500, contract: { suppliers: [reference(a), reference(c)] } }],
    [contract([J, C], 33_500)],
    {
      parties: [tenderParty(a), tenderParty(c)],
      doubtful: 'the rule reads the contract only where the award names none, but nothing may be dropped silently',
    },
  ),
];
