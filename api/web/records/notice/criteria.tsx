import type { z } from 'zod';
import { makeLookup } from '../../../../schema/text/json-values.ts';
import { formatMoney } from '../../../../schema/text/money.ts';
import { shorten } from '../../../../search/documents/from-row.ts';
import type {
  awardCriterion,
  lot,
  participationFee,
  selectionCriterion,
} from '../../../operations/shared/notice-shapes.ts';
import { labelPlain } from '../../components/labels.ts';
import { LongText } from '../long-text.tsx';

type Criterion = z.input<typeof awardCriterion>;
type Condition = z.input<typeof selectionCriterion>;
type Fee = z.input<typeof participationFee>;
/** What is said by a lot, or of the whole. */
type Terms = z.input<typeof lot>;

/** A number in one of these units is read with it; any other stands for itself. */
const UNITS = makeLookup({
  percentageExact: '%',
  percentageRangeMiddle: '%, the middle of a range',
  pointsExact: ' points',
  pointsRangeMiddle: ' points, the middle of a range',
});

/** How bids are compared: what is said of the whole, or by all of its lots. */
export function Comparison({ award_criteria: criteria = [], award_criteria_text: text }: Partial<Terms>) {
  return (
    <LongText title="How bids are compared" text={text}>
      {criteria.length > 0 && <CriterionList criteria={criteria} most={2_000} />}
    </LongText>
  );
}

/** Who may bid: what is said of the whole, or by all of its lots. */
export function Conditions({ selection_criteria: conditions = [], selection_criteria_text: text }: Partial<Terms>) {
  return (
    <LongText title={CONDITIONS} text={text}>
      {conditions.length > 0 && <ConditionList conditions={conditions} most={2_000} />}
    </LongText>
  );
}

const CONDITIONS = 'Conditions of participation';

/** What bidders pay: what is said of the whole, or by all of its lots. */
export function Fees({ participation_fees: fees = [] }: Partial<Terms>) {
  return (
    <LongText title={FEES} text="">
      {fees.length > 0 && <FeeList fees={fees} most={2_000} />}
    </LongText>
  );
}

const FEES = 'Fees for bidders';

/** How the bids for a lot are compared, who may bid for it and what that costs, where it is not said of the whole. */
export function LotCriteria({ lot, listed, most }: { lot: Terms } & Required<ListProps>) {
  const { award_criteria: criteria = [], award_criteria_text: compared = '' } = lot;
  const { selection_criteria: conditions = [], selection_criteria_text: selected = '' } = lot;
  const { participation_fees: fees = [] } = lot;
  return (
    <>
      {(conditions.length > 0 || selected) && (
        <p class="muted small">
          {CONDITIONS}: {shorten(selected, most)}
        </p>
      )}
      <ConditionList conditions={conditions} most={most} listed={listed} />
      {(criteria.length > 0 || compared) && <p class="muted small">How bids are compared: {shorten(compared, most)}</p>}
      <CriterionList criteria={criteria} most={most} listed={listed} />
      {fees.length > 0 && <p class="muted small">{FEES}:</p>}
      <FeeList fees={fees} most={most} listed={listed} />
    </>
  );
}

/** Genuine lots have at most fifteen criteria. */
export const LISTED_MAX = 20;

interface ListProps {
  /** Characters of what describes each of them. */
  most: number;
  /** How many are listed; more are only counted. */
  listed?: number;
}

/** The conditions, each with the least that is accepted. */
function ConditionList({ conditions, most, listed = LISTED_MAX }: ListProps & { conditions: readonly Condition[] }) {
  if (conditions.length === 0) return null;
  return (
    <ul class="plain">
      {conditions.slice(0, listed).map(({ type, description, minimum, for_reduction }, at) => (
        <li key={at}>
          {[type ? labelPlain(type) : 'Other', for_reduction && ', reduces the number of bidders']}
          {description && <p class="muted small">{shortenOver(description, most)}</p>}
          {minimum && minimum !== description && <p class="muted small">Minimum: {shortenOver(minimum, most)}</p>}
        </li>
      ))}
      {conditions.length > listed && <li class="muted small">and {conditions.length - listed} more</li>}
    </ul>
  );
}

/** The fees, each with what it is paid for. */
function FeeList({ fees, most, listed = LISTED_MAX }: ListProps & { fees: readonly Fee[] }) {
  if (fees.length === 0) return null;
  return (
    <ul class="plain">
      {fees.slice(0, listed).map((each, at) => (
        <li key={at}>
          {nameFee(each)}
          {each.description && <p class="muted small">{shortenOver(each.description, most)}</p>}
        </li>
      ))}
      {fees.length > listed && <li class="muted small">and {fees.length - listed} more</li>}
    </ul>
  );
}

/** `For winning: 2.5% of the award`. */
function nameFee({ types = [], percent, of = '', value, currency }: Fee): string {
  const paidFor = types.map((type) => PAID_FOR[type] ?? labelPlain(type)).join(', ') || 'Fee';
  const share = percent === undefined ? '' : `${percent}%${of && ` of the ${labelPlain(of).toLowerCase()}`}`;
  return [paidFor, [share, formatMoney(value, currency)].filter(Boolean).join(' and ')].filter(Boolean).join(': ');
}

const PAID_FOR = makeLookup({ win: 'For winning', submission: 'For bidding', document: 'For the documents' });

/** A text whole, with its lines, unless it is longer than this. */
const shortenOver = (text: string, most: number) => (text.length > most ? shorten(text, most) : text);

/** The criteria with their weights as published. */
function CriterionList({ criteria, most, listed = LISTED_MAX }: ListProps & { criteria: readonly Criterion[] }) {
  if (criteria.length === 0) return null;
  return (
    <ul class="plain">
      {criteria.slice(0, listed).map((each, at) => (
        <li key={at}>
          {nameCriterion(each, criteria.length === 1)}
          {each.description && each.description !== each.name && (
            <p class="muted small">{shortenOver(each.description, most)}</p>
          )}
        </li>
      ))}
      {criteria.length > listed && <li class="muted small">and {criteria.length - listed} more</li>}
    </ul>
  );
}

/** `Social value (quality): 10%`; a price that nothing else is compared with is `Price alone`. */
function nameCriterion({ name, type = '', weight, weight_type = '', order }: Criterion, isOnly: boolean): string {
  const kind = labelPlain(type);
  const isNamed = name !== undefined && !name.toLowerCase().includes(type.toLowerCase());
  const named = isNamed && type ? `${name} (${kind.toLowerCase()})` : (name ?? kind);
  const alone = isOnly && !name && (type === 'price' || type === 'cost') ? ' alone' : '';
  const unit = UNITS[weight_type];
  const amount = unit ? `: ${weight}${unit}` : `: weight ${weight}`;
  const weighed = weight === undefined ? '' : amount;
  const placed = order === undefined ? '' : `, number ${order} in order`;
  return `${named || 'Not named'}${alone}${weighed}${placed}`;
}
