import { BUYER_KINDS } from '../../schema/catalogue/enums.ts';
import { BUYER_SCOPES } from '../../schema/names/public-bodies.ts';
import { BUYER_KIND_MEANINGS, BUYER_SCOPE_MEANINGS } from './meanings.ts';
import type { ExactRow, FilterRow } from './row.ts';
import { PROCUREMENTS, someOf } from './shapes.ts';

const OWN = { kind: 'exact', values: 'code', several: true, datasets: ['buyers'] } as const;

/** What people call the kinds of body. */
export const KINDS_CALLED = {
  central: ['department', 'departments', 'ministry', 'ministries', 'government', 'central government'],
  local: ['council', 'councils', 'authority', 'local authority', 'local authorities', 'local government'],
  nhs: ['health', 'trust', 'trusts', 'hospital', 'hospitals', 'NHS trust', 'NHS trusts'],
  education: ['school', 'schools', 'college', 'colleges', 'university', 'universities', 'academy', 'academies'],
  police_fire: ['police', 'fire', 'fire and rescue', 'emergency services'],
  housing: ['housing association', 'housing associations', 'social housing'],
} as const;

/** The filter of procurements by the kind of body that buys. */
export const buyerKind = {
  name: 'buyer_kind',
  kind: 'exact',
  label: 'Kind of buyer',
  choices: BUYER_KINDS,
  called: KINDS_CALLED,
  meanings: BUYER_KIND_MEANINGS,
  values: 'buyer_kind',
  field: 'buyer_kind',
  letter: '6',
  several: true,
  input: (z) => someOf(z, BUYER_KINDS, 'central, local, nhs…', 'central', 'local,nhs'),
  words: `What kind of body its buyer is: ${BUYER_KINDS.join(', ')}. Of joint buyers the main one counts. Where that is not known, it is left out.`,
  aliases: ['kind', 'buyer_type', 'kind_of_buyer', 'type_of_buyer', 'sector'],
  datasets: PROCUREMENTS,
} as const satisfies ExactRow;

/** The filters that buyers alone have. */
export const BUYER_FILTERS = [
  {
    ...OWN,
    name: 'kind',
    label: 'Kind of body',
    choices: BUYER_KINDS,
    meanings: BUYER_KIND_MEANINGS,
    called: KINDS_CALLED,
    field: 'kind',
    letter: 'j',
    input: (z) => someOf(z, BUYER_KINDS, 'central, local, nhs…; commas between', 'local', 'nhs,education'),
    words: `What kind of body it is: ${BUYER_KINDS.join(', ')}.`,
    aliases: ['type', 'buyer_kind', 'buyer_type', 'sector'],
  },
  {
    ...OWN,
    name: 'scope',
    label: 'How far it acts',
    choices: BUYER_SCOPES,
    meanings: BUYER_SCOPE_MEANINGS,
    field: 'scope',
    letter: 'a',
    input: (z) => someOf(z, BUYER_SCOPES, `${BUYER_SCOPES.join(', ')}; commas between`, 'national', 'regional,local'),
    words: `How far it acts: ${BUYER_SCOPES.join(', ')}.`,
    aliases: ['reach', 'level'],
  },
] as const satisfies readonly FilterRow[];
