import { makeLookup, textOf } from '../text/json-values.ts';

/** Names of the notice types as the services' own pages give them (Find a Tender, "Notice types"; Procurement Act 2023). */
export const NOTICE_TYPE_NAMES = makeLookup<string>({
  UK1: 'Pipeline notice',
  UK2: 'Preliminary market engagement notice',
  UK3: 'Planned procurement notice',
  UK4: 'Tender notice',
  UK5: 'Transparency notice',
  UK6: 'Contract award notice',
  UK7: 'Contract details notice',
  UK8: 'Contract payment notice',
  UK9: 'Contract performance notice',
  UK10: 'Contract change notice',
  UK11: 'Contract termination notice',
  UK12: 'Procurement termination notice',
  UK13: 'Dynamic market intention notice',
  UK14: 'Dynamic market establishment notice',
  UK15: 'Dynamic market modification notice',
  UK16: 'Dynamic market cessation notice',
  UK17: 'Payments compliance notice',
});

/** What the tags mean for notices that were published before the Procurement Act, or outside it. */
export const OLDER_FORM_NAMES = {
  planning: 'Prior information, or a future opportunity',
  planningUpdate: 'Update of prior information',
  tender: 'Invitation to tender',
  tenderAmendment: 'Correction of an invitation to tender',
  tenderUpdate: 'Update of an invitation to tender',
  tenderCancellation: 'Cancellation of a tender',
  award: 'Award of a contract',
  awardUpdate: 'Update of an award',
  awardCancellation: 'Cancellation of an award',
  contract: 'Contract',
  contractUpdate: 'Update of a contract',
  contractAmendment: 'Change to a contract',
  implementation: 'Performance of a contract',
  implementationUpdate: 'Update on the performance of a contract',
  contractTermination: 'Termination of a contract',
  compiled: 'Notice of no stated form',
} as const;

/** The forms of the Procurement Act, and the tags of older notices. */
export const NOTICE_TYPES = [...Object.keys(NOTICE_TYPE_NAMES), ...Object.keys(OLDER_FORM_NAMES)];

/** Stage of each notice type of the Procurement Act 2023 (the codelist of the OCDS extension for the UK). */
export const STAGE_OF_NOTICE_TYPE = makeLookup({
  UK1: 'planning',
  UK2: 'planning',
  UK3: 'planning',
  UK4: 'tender',
  UK5: 'award',
  UK6: 'award',
  UK7: 'contract',
  UK8: 'payment',
  UK9: 'performance',
  UK10: 'change',
  UK11: 'termination',
  UK12: 'termination',
  UK13: 'market',
  UK14: 'market',
  UK15: 'market',
  UK16: 'market',
  UK17: 'payment',
} as const);

/** Stage of each OCDS release tag (standard, codelist releaseTag). Later members win where a release has several. */
export const STAGE_OF_TAG = makeLookup({
  compiled: 'planning',
  planning: 'planning',
  planningUpdate: 'planning',
  tender: 'tender',
  tenderAmendment: 'tender',
  tenderUpdate: 'tender',
  contract: 'contract',
  contractUpdate: 'contract',
  award: 'award',
  awardUpdate: 'award',
  implementation: 'performance',
  implementationUpdate: 'performance',
  contractAmendment: 'change',
  contractTermination: 'termination',
  awardCancellation: 'termination',
  tenderCancellation: 'termination',
} as const);

/** A notice type as its service spells it: `uk 4` is `UK4`. */
export function noticeTypeOf(json: unknown): string | undefined {
  return textOf(json)?.replace(/^uk ?(?=\d)/i, 'UK');
}

/** A status as the standard spells it: `Cancelled` and `canceled` are `cancelled`. */
function statusOf(json: unknown): string | undefined {
  return textOf(json)
    ?.toLowerCase()
    .replace(/^canceled$/, 'cancelled');
}

/** Words of sites for the statuses of a tender or a lot. */
const TENDER_WORDS = makeLookup({
  open: 'active',
  live: 'active',
  published: 'active',
  closed: 'complete',
  awarded: 'complete',
  completed: 'complete',
});

/** The status of a tender or a lot as the standard spells it: what is `Closed` or `Awarded` on a site is `complete`. */
export function tenderStatusOf(json: unknown): string | undefined {
  const status = statusOf(json);
  return TENDER_WORDS[status ?? ''] ?? status;
}

/** Words of sites for the statuses of an award. */
const AWARD_WORDS = makeLookup({ awarded: 'active', 'not awarded': 'unsuccessful', withdrawn: 'cancelled' });

/** The status of an award as the standard spells it. */
export function awardStatusOf(json: unknown): string | undefined {
  const status = statusOf(json);
  return AWARD_WORDS[status ?? ''] ?? status;
}

/** Words of sites for the statuses of a contract. The standard has none for one that ended in its time. */
const CONTRACT_WORDS = makeLookup({
  'in force': 'active',
  live: 'active',
  signed: 'active',
  complete: 'ended',
  completed: 'ended',
  expired: 'ended',
  finished: 'ended',
});

/** The status of a contract as the standard spells it, or `ended`. */
export function contractStatusOf(json: unknown): string | undefined {
  const status = statusOf(json);
  return CONTRACT_WORDS[status ?? ''] ?? status;
}

/** Whether an award led to no contract. */
export function isLostAward(status: string | undefined): boolean {
  return status === 'cancelled' || status === 'unsuccessful';
}

/** Statuses of a lot that is not bought (OCDS tenderStatus). */
const ENDED = ['cancelled', 'withdrawn', 'unsuccessful'] as const;
type Ended = (typeof ENDED)[number];

/** How a lot ended without being bought; undefined while it did not. */
export function endOfLot({ status }: { status?: string }): Ended | undefined {
  return ENDED.find((ended) => ended === status);
}

/** How every lot ended without being bought; undefined where one did not, or there are no lots. */
export function endOfLots({ lots }: { lots: readonly { status?: string }[] }): Ended | undefined {
  const ends = new Set(lots.map(endOfLot));
  if (ends.has(undefined)) return undefined;
  return ends.size > 1 ? 'unsuccessful' : [...ends][0];
}

/** Why a contract was awarded without competition, under the Procurement Act 2023 and the older regulations, in one word each. */
export const DIRECT_AWARD_GROUNDS = [
  'urgency',
  'technical',
  'exclusive_rights',
  'artistic',
  'additional',
  'no_bids',
  'user_choice',
  'defence',
  'protect_life',
  'research',
  'commodity',
  'bargain',
  'outside_scope',
  'other',
] as const;
export type DirectAwardGround = (typeof DIRECT_AWARD_GROUNDS)[number];

/**
 * Words in the codes and labels of grounds: `singleSuppliersTechnicalReasons` of Find a Tender, `D_TECHNICAL` of the older forms,
 * `Single supplier - technical reasons`. The first that matches decides.
 */
const GROUND_WORDS: readonly (readonly [RegExp, DirectAwardGround])[] = [
  [/\burgen|\bcrisis\b|\bperiods incompatible/, 'urgency'],
  [/\btechnical/, 'technical'],
  [/(?<!\bnon )\bexclusive|\bintellectual|\bprotect rights/, 'exclusive_rights'],
  [/\bartist|\bunique works?\b|\bworks? of art\b/, 'artistic'],
  [/\badditional|\badd deliver|\brepeat|\brepetition|\breplacement/, 'additional'],
  [/\bno (?:suitable )?tenders|\ball tenders|\bproc (?:open|restr|negot|compet)|\bswitching (?:to )?direct/, 'no_bids'],
  [/\buser choice/, 'user_choice'],
  [/\bdefence|\bmilitary|\bmaritime|\barmed forces/, 'defence'],
  [/\bresearch|\bprototype/, 'research'],
  [/\bcommodit/, 'commodity'],
  [/\binsolven|\bliquidator|\bwinding (?:up|provider)|\bbargain|(?<!\beconomically )\badvantageous/, 'bargain'],
  [/\bscope\b/, 'outside_scope'],
  [/(?<!\b(?:end of|half) )\blife\b|\bpublic (?:order|safety)/, 'protect_life'],
];

/** The grounds of a direct award in our words, each once; the code decides before its label. */
export function groundsOf(stated: readonly { id?: string; description?: string }[]): DirectAwardGround[] {
  const grounds = stated.flatMap(({ id, description }) => {
    const texts = [id, description].flatMap((text) => (text?.trim() ? [wordsOf(text)] : []));
    const found = texts.flatMap((text) => GROUND_WORDS.find(([sign]) => sign.test(text))?.[1] ?? []);
    return texts.length > 0 ? (found[0] ?? 'other') : [];
  });
  return [...new Set(grounds)];
}

/** `partialReplacement` and `D_ADD_DELIVERIES` in small letters, with spaces between their words. */
function wordsOf(code: string): string {
  return code
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .replace(/[_\s-]+/g, ' ')
    .toLowerCase();
}

/** The codes of several words that the catalogue is made from, by their letters alone. */
const CODES: ReadonlyMap<string, string> = new Map(
  [
    ...Object.keys(STAGE_OF_TAG),
    ...['notAllowed', 'electronicSubmission', 'electronicAuction', 'inPerson', 'futureSignatureDate', 'preProcurement'],
    ...['withReopeningCompetition', 'withoutReopeningCompetition', 'withAndWithoutReopeningCompetition'],
    ...['procuringEntity', 'centralPurchasingBody', 'removedSupplier'],
    ...['smeBids', 'electronicBids', 'foreignBidsFromEU', 'foreignBidsFromNonEU'],
    ...['finalStageBids', 'smeFinalStageBids', 'vcseFinalStageBids'],
  ].map((code) => [code.toLowerCase(), code]),
);

/** A code as the standard spells it: `OPEN` is `open`; `TenderUpdate`, `TENDERUPDATE` and `tender_update` are `tenderUpdate`. */
export function codeOf(json: unknown): string | undefined {
  const text = textOf(json);
  const known = text && CODES.get(text.replace(/[\s_-]+/g, '').toLowerCase());
  if (known) return known;
  return text?.replace(/^(?:[A-Z]+$|[A-Z](?=[a-z][A-Za-z]*$))/, (capitals) => capitals.toLowerCase());
}

/** What is written for pounds and euros besides their codes. `Egyptian pounds` are others. */
const POUND =
  /^(?:£|&POUND;|GBP ?\(?£\)?|£ ?\(?GBP\)?|(?:(?:GBP|BRITISH|UK)[ -]*)?(?:POUNDS?(?:[ -]STERLING)?|STERLING)(?: ?\(GBP\))?|UKP|STG)$/;
const EURO = /^(?:€|EUROS?)$/;

/** A currency as its code: `gbp`, `£` and `Pounds Sterling` are GBP. It need not be one that exists. */
export function currencyOf(json: unknown): string | undefined {
  const code = textOf(json)?.toUpperCase();
  if (code === undefined || code === 'GBP') return code;
  return POUND.test(code) ? 'GBP' : code.replace(EURO, 'EUR');
}
