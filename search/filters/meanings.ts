import type { Stage } from '../../schema/catalogue/details.ts';
import type {
  BuyerKind,
  FRAMEWORK_KINDS,
  Procedure,
  RESERVED,
  SPECIAL_REGIMES,
  SUITED,
} from '../../schema/catalogue/enums.ts';
import type { BuyerScope } from '../../schema/names/public-bodies.ts';
import type { DirectAwardGround } from '../../schema/reference/notice-types.ts';
import { NATION_NAMES, type Nation } from '../../schema/reference/regions.ts';

/** What filter values mean, in words for people and agents who are new to them. */

/** The stages of a procurement, as a notice announces them. */
export const STAGE_MEANINGS: Readonly<Record<Stage, string>> = {
  planning: 'The buyer announces a need or asks the market; no bids are taken yet (UK1 to UK3)',
  tender: 'Bids or requests to take part are invited (UK4)',
  award: 'The buyer says whom it chose, or chooses without a competition (UK5, UK6)',
  contract: 'The contract is signed and its details are published (UK7)',
  change: 'A running contract is changed (UK10)',
  termination: 'A contract ends, or a procurement ends without one (UK11, UK12)',
  performance: 'How a supplier performs (UK9)',
  payment: 'What was paid, or how fast a buyer pays (UK8, UK17)',
  market: 'A dynamic market is set up, changed or closed (UK13 to UK16)',
};

/** Where a buyer is. */
export const NATION_MEANINGS: Readonly<Record<Nation, string>> = {
  ...NATION_NAMES,
  uk: 'A body that acts for the whole United Kingdom, wherever its office is',
};

/** How a contract was awarded. */
export const PROCEDURE_MEANINGS: Readonly<Record<Procedure, string>> = {
  open: 'Anybody may bid, in one stage',
  restricted: 'Those chosen from all who asked to take part may bid',
  competitive_flexible: "Stages of the buyer's own design, under the Procurement Act 2023",
  negotiated: 'Bids are discussed before the award: negotiated procedure, competitive dialogue, innovation partnership',
  direct: 'Without competition, also under a framework (framework_role call_off)',
  call_off: 'Under a framework or dynamic market, where the procedure says so; framework_role has all call-offs',
  other: 'Any other way, such as a competition among a few bidders below the thresholds',
};

/** Why a contract was awarded without competition. */
export const GROUND_MEANINGS: Readonly<Record<DirectAwardGround, string>> = {
  urgency: 'Events that nobody could foresee left no time',
  technical: 'Only this supplier can do it, for technical reasons',
  exclusive_rights: 'Only this supplier has the rights, such as intellectual property',
  artistic: 'A unique work of art or performance',
  additional: 'More from the same supplier: an extension, partial replacement or repetition',
  no_bids: 'A competition brought no suitable bids',
  user_choice: 'The person who is cared for, or a carer, chooses',
  defence: 'For defence or security',
  protect_life: 'To protect life, health or public order, by order of a minister',
  research: 'A prototype, or research and development',
  commodity: 'Bought on a commodity market',
  bargain: 'On very good terms, as from an insolvent supplier',
  outside_scope: 'The older regulations do not apply, as under a framework',
  other: 'Any other ground',
};

/** Whom a buyer may call a procurement suitable for. */
export const SUITED_MEANINGS: Readonly<Record<(typeof SUITED)[number], string>> = {
  sme: 'Small and medium-sized enterprises',
  vcse: 'Voluntary, community and social enterprises',
};

/** For whom alone a procurement may be. */
export const RESERVED_MEANINGS: Readonly<Record<(typeof RESERVED)[number], string>> = {
  smeVcse: 'Small businesses, and voluntary, community and social enterprises',
  shelteredWorkshop: 'Supported employment providers, which employ disabled or disadvantaged people',
  publicService: 'Public service mutuals, and other bodies with a public service mission',
  shelteredEmployment: 'Those who perform it in programmes of sheltered employment',
  area: 'Suppliers based in an area, such as a county or the United Kingdom; reserved_places names it',
};

/** Special rules of the Procurement Act 2023. */
export const SPECIAL_REGIME_MEANINGS: Readonly<Record<(typeof SPECIAL_REGIMES)[number], string>> = {
  lightTouch: 'Services such as care and education, under fewer rules',
  utilities: 'For water, energy, transport or post',
  concession: 'The supplier earns from those who use the works or services',
  defenceSecurity: 'For defence or security',
};

/** What kind of agreement a framework is. */
export const FRAMEWORK_KIND_MEANINGS: Readonly<Record<(typeof FRAMEWORK_KINDS)[number], string>> = {
  framework: 'A framework agreement: its suppliers stay the same, or join when it is opened again',
  dynamic_market: 'A dynamic market or dynamic purchasing system: suppliers may join at any time',
};

/** The state of a contract on the day of the request. */
export const CONTRACT_STATUS_MEANINGS: Readonly<Record<'any' | 'active' | 'ended' | 'terminated', string>> = {
  any: 'All, also those without a known end',
  active: 'It ends today or later',
  ended: 'Its end has passed',
  terminated: 'A notice ended it before its time, or its supplier has left the framework or dynamic market',
};

/** Whether bids are accepted at the moment of the request. */
export const BID_STATUS_MEANINGS: Readonly<Record<'open' | 'closed' | 'any', string>> = {
  open: 'The deadline has not passed, and the process is neither cancelled, withdrawn nor complete',
  closed: 'Bids are no longer taken',
  any: 'Both',
};

/** What kind of body a buyer is. */
export const BUYER_KIND_MEANINGS: Readonly<Record<BuyerKind, string>> = {
  central: 'A ministry, or a body that acts for the whole country',
  devolved: 'A government or body of Scotland, Wales or Northern Ireland',
  local: 'A council, or a body of councils',
  nhs: 'The National Health Service and its trusts',
  education: 'Schools, colleges and universities',
  police_fire: 'Police, fire and rescue',
  housing: 'Housing associations',
  utility: 'Water, energy, transport or post',
  sub_central: 'Any other public body below the centre',
};

/** How far a buyer acts. */
export const BUYER_SCOPE_MEANINGS: Readonly<Record<BuyerScope, string>> = {
  national: 'In the whole country',
  regional: "In a nation, a region or several councils' areas",
  local: 'In one place',
};
