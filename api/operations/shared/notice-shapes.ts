import { z } from 'zod';
import { match } from '../../../schema/answers/shapes.ts';
import { VARIANTS } from '../../../schema/catalogue/bids.ts';
import { STAGES } from '../../../schema/catalogue/details.ts';
import { PROCEDURES } from '../../../schema/catalogue/enums.ts';
import { NOTICE_STATUSES } from '../../../schema/catalogue/live.ts';
import { DIRECT_AWARD_GROUNDS } from '../../../schema/reference/notice-types.ts';
import { NATIONS } from '../../../schema/reference/regions.ts';
import { LINK_KINDS } from '../../../schema/text/document-links.ts';

/** Parts of notices and contracts that several answers share. Further fields are optional: absent where not stored. */

export const stage = z.enum(STAGES);

export const cpvCode = z.object({ code: z.string(), description: z.string().optional() });

export const region = z.object({ code: z.string().optional(), name: z.string() });

export const deliveryPlaces = z
  .array(z.string())
  .optional()
  .describe('Where it is delivered besides its regions, as published: in words, by town, postcode district or country');

/** The nation of its buyer, otherwise of the place of performance. */
export const nation = z.enum(NATIONS);

/** The other services that published it too. */
export const alsoOn = z.array(z.string());

export const supplier = z.object({
  company_id: z.string().describe('Leads to the company operations'),
  name: z.string(),
  companies_house_number: z.string().optional(),
  is_sme: z.boolean().optional(),
  is_vcse: z.boolean().optional().describe('Whether it is a voluntary, community or social enterprise, as notices say'),
  match: match.optional(),
});

export const linkKind = z.enum(LINK_KINDS);

export const document = z.object({
  name: z.string(),
  url: z.string(),
  type: z.string().optional().describe('The code as published'),
  type_label: z.string().optional(),
  published: z.string().optional(),
  language: z.string().optional(),
  notice_id: z.string().optional(),
  link_kind: linkKind.describe('What the address itself tells of where it leads; nothing is fetched'),
  junk: z.boolean().optional().describe('True where the published address leads to no document'),
  junk_reason: z.string().optional(),
});

export const noticeReference = z.object({
  notice_id: z.string(),
  notice_type: z.string(),
  stage,
  published: z.string(),
  title: z.string(),
  url: z.string().optional(),
});

export const related = z.object({
  notice_id: z.string().describe('Its newest notice'),
  title: z.string(),
  source: z.string(),
  ocid: z.string(),
  published: z.string().optional().describe('Its first notice'),
  url: z.string().optional(),
  match: match.describe('method: identifier (one names the other), reference (of the buyer) or title'),
  counted_once: z
    .boolean()
    .describe('Awards of both are one contract in every count and sum; only an identifier does that'),
});

export const awardCriterion = z.object({
  type: z.string().optional().describe('quality, price or cost'),
  name: z.string().optional(),
  description: z.string().optional(),
  weight: z.number().optional().describe('As published, never calculated: weights need not add up to 100'),
  weight_type: z
    .string()
    .optional()
    .describe(
      'The unit of the weight, a code as published: percentageExact for per cent, pointsExact for points; absent where none is stated',
    ),
  order: z.number().optional().describe('Its place where criteria are ranked and not weighted'),
});

export const selectionCriterion = z.object({
  type: z.string().optional().describe('suitability, economic or technical; absent for any other'),
  description: z.string().optional(),
  minimum: z.string().optional().describe('The least that is accepted, in the words of the notice'),
  for_reduction: z.boolean().optional().describe('True where it reduces the number of those who are invited to bid'),
});

export const participationFee = z.object({
  types: z
    .array(z.string())
    .optional()
    .describe(
      'What it is paid for, codes as published: win for being awarded a contract, submission for bidding, document for the documents',
    ),
  percent: z.number().optional().describe('2 for 2%'),
  of: z
    .string()
    .optional()
    .describe('What the percentage is of, a code as published: award for the value of the award'),
  value: z.number().optional(),
  currency: z.string().optional(),
  description: z.string().optional(),
});

/** What brief answers keep of fees. */
export const FEES_KEPT = [
  'participation_fees',
  ...Object.keys(participationFee.shape).map((field) => `participation_fees.${field}`),
];

/** Of a lot, or of the whole. */
export const bidTerms = {
  award_criteria: z
    .array(awardCriterion)
    .optional()
    .describe('The criteria by which bids are compared; where all lots have the same, they stand once, on the notice'),
  award_criteria_text: z
    .string()
    .optional()
    .describe('What the notice says in words about the criteria, or about how lots are awarded'),
  selection_criteria: z
    .array(selectionCriterion)
    .optional()
    .describe(
      'The conditions of participation that a bidder has to meet; where all lots have the same, they stand once, on the notice',
    ),
  selection_criteria_text: z
    .string()
    .optional()
    .describe('What the notice says in words about these conditions, or about how the number of bidders is reduced'),
  variants: z
    .enum(VARIANTS)
    .optional()
    .describe(
      'Whether a bid may or must offer something other than what is asked for; where all lots say the same, it stands once, on the notice',
    ),
  participation_fees: z
    .array(participationFee)
    .optional()
    .describe(
      'What bidders pay to take part or once they win; where all lots say the same, it stands once, on the notice',
    ),
  suitable_for_sme: z.boolean().optional(),
  suitable_for_vcse: z
    .boolean()
    .optional()
    .describe('Whether the buyer calls it, or a lot of it, suitable for voluntary, community and social enterprises'),
};

export const lot = z.object({
  lot_id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  value: z.number().optional(),
  currency: z.string().optional(),
  status: z.string().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
  duration_days: z.number().optional(),
  duration_months: z.number().optional(),
  invited_min: z.number().optional(),
  invited_max: z.number().optional(),
  extends_to: z.string().optional(),
  renewal: z.string().optional(),
  options: z.string().optional(),
  ...bidTerms,
});

export const noticeStatus = z
  .enum(NOTICE_STATUSES)
  .describe('As of now: open takes bids, closed is past its deadline; planned with stage award is an intended award');

export const procedure = z.enum(PROCEDURES);

const bidFigures = {
  received: z.int().optional(),
  from_smes: z.int().optional(),
  electronic: z.int().optional(),
  from_eu: z.int().optional(),
  from_outside_eu: z.int().optional(),
  final_stage: z.int().optional(),
  final_stage_from_smes: z.int().optional(),
  final_stage_from_vcses: z.int().optional(),
};
export const lotBids = z.object({ lot_id: z.string(), ...bidFigures });
export const losingBidder = z.object({
  name: z.string(),
  companies_house_number: z.string().optional(),
  lot_ids: z.array(z.string()).optional().describe('The lots that it did not win, where there are several'),
});
export const bids = z.object({
  ...bidFigures,
  lots: z.array(lotBids).optional().describe('Where it is of several lots; never added up'),
  unsuccessful: z
    .array(losingBidder)
    .optional()
    .describe('Who bid and did not win, where a notice names them, as those of larger contracts do'),
});
export const briefBids = z.object({ received: z.int().optional(), from_smes: z.int().optional() });
export const justification = z.object({
  text: z.string().optional().describe("In the buyer's words"),
  grounds: z.array(z.string()).optional(),
});
export const directAwardGrounds = z
  .array(z.enum(DIRECT_AWARD_GROUNDS))
  .optional()
  .describe('The grounds on which there was no competition, in one word each');

export const kpiResult = z.object({
  notice_id: z.string(),
  starts: z.string().optional().describe('The first day of what was measured'),
  ends: z.string().optional().describe('The last day of what was measured'),
  measured: z.string().optional(),
  rating: z.string().optional().describe('A code as published: met, slightlyBelow, below, significantlyBelow or other'),
});
export const kpi = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  every_days: z.int().optional(),
  every_months: z.int().optional(),
  results: z.array(kpiResult).optional(),
});
