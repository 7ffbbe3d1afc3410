import type { z } from 'zod';
import { makeLookup } from '../../../../schema/text/json-values.ts';
import { shorten } from '../../../../search/documents/from-row.ts';
import type { awardCriterion, lot } from '../../../operations/shared/notice-shapes.ts';
import { labelPlain } from '../../components/labels.ts';
import { LongText } from '../long-text.tsx';

type Criterion = z.input<typeof awardCriterion>;
/** What is said of how bids are compared: by a lot, or of the whole. */
type Terms = Pick<z.input<typeof lot>, 'award_criteria' | 'award_criteria_text'>;

/** A number in one of these units is read with it; any other stands for itself. */
const UNITS = makeLookup({
  percentageExact: '%',
  percentageRangeMiddle: '%, the middle of a range',
  pointsExact: ' points',
  pointsRangeMiddle: ' points, the middle of a range',
});

/** How bids are compared: what is said of the whole, or by all of its lots. */
export function Comparison({ terms: { award_criteria: criteria = [], award_criteria_text: text } }: { terms: Terms }) {
  return (
    <LongText title="How bids are compared" text={text}>
      {criteria.length > 0 && <CriterionList criteria={criteria} most={2_000} />}
    </LongText>
  );
}

/** Genuine lots have at most fifteen criteria. */
export const LISTED_MOST = 20;

interface CriterionListProps {
  criteria: readonly Criterion[];
  /** Characters of what describes each of them. */
  most: number;
  /** How many are listed; more are only counted. */
  listed?: number;
}

/** The criteria with their weights as published. */
export function CriterionList({ criteria, most, listed = LISTED_MOST }: CriterionListProps) {
  if (criteria.length === 0) return null;
  return (
    <ul class="plain">
      {criteria.slice(0, listed).map((each, at) => (
        <li key={at}>
          {nameCriterion(each, criteria.length === 1)}
          {each.description && each.description !== each.name && (
            <p class="muted small">
              {each.description.length > most ? shorten(each.description, most) : each.description}
            </p>
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
  const weighed = weight === undefined ? '' : unit ? `: ${weight}${unit}` : `: weight ${weight}`;
  return `${named || 'Not named'}${alone}${weighed}${order === undefined ? '' : `, number ${order} in order`}`;
}
