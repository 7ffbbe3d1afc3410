import type { z } from 'zod';
import type { contractAnswer } from '../../operations/contracts/shapes.ts';
import type { bids } from '../../operations/shared/notice-shapes.ts';
import { formatDay, formatNumbered } from '../components/format.ts';
import { labelProcedure } from '../components/labels.ts';

/** What a contract or a notice says about its procedure and the bids. */
type Competed = Pick<z.input<typeof contractAnswer>, 'procedure' | 'procedure_details' | 'justification' | 'bids'>;
type Figures = Omit<z.input<typeof bids>, 'lots'>;

const LOTS_MAX = 10;

/** The procedure in our words, with the published ones where they say more; null where none is stated. */
export function nameProcedure({ procedure, procedure_details }: Competed): string | null {
  const label = procedure && procedure !== 'other' ? labelProcedure(procedure) : null;
  if (!label || !procedure_details) return label ?? procedure_details ?? (procedure ? labelProcedure(procedure) : null);
  return procedure_details.toLowerCase().startsWith(label.toLowerCase())
    ? procedure_details
    : `${label}: ${procedure_details}`;
}

/** Why the procedure was chosen, in the published words. */
export function nameReasons({ justification }: Competed): string | null {
  const { grounds = [], text } = justification ?? {};
  return [...grounds, ...(text ? [text] : [])].join(' · ') || null;
}

/** `8 bids, 3 from small or medium-sized firms`; for several lots, those of each. */
export function nameBids({ bids: stated }: Competed): string | null {
  if (!stated) return null;
  const { lots = [], unsuccessful: _, ...whole } = stated;
  const each = lots.slice(0, LOTS_MAX).flatMap(({ lot_id, ...figures }) => {
    const words = nameFigures(figures);
    return words ? [`lot ${lot_id}: ${words}`] : [];
  });
  const more = lots.length > LOTS_MAX ? [`and ${formatNumbered(lots.length - LOTS_MAX, 'more lot')}`] : [];
  return [nameFigures(whole), ...each, ...more].filter(Boolean).join('; ') || null;
}

/** `Moss & Co Limited; Oakes Limited (lots 1, 2)`: who bid and did not win, where a notice names them. */
export function nameLosers({ bids: stated }: Competed): string | null {
  const named = (stated?.unsuccessful ?? []).map(({ name, lot_ids: lots = [] }) => {
    if (lots.length === 0) return name;
    return `${name} (${lots.length > 1 ? 'lots' : 'lot'} ${lots.join(', ')})`;
  });
  return named.join('; ') || null;
}

function nameFigures({ received, from_smes, final_stage }: Figures): string {
  return [
    ...(received === undefined ? [] : [formatNumbered(received, 'bid')]),
    ...(from_smes === undefined ? [] : [`${from_smes} from small or medium-sized firms`]),
    ...(final_stage === undefined || final_stage === received ? [] : [`${final_stage} in the final stage`]),
  ].join(', ');
}

const ENDS_FROM: Readonly<Record<string, string>> = {
  change: 'a change notice',
  contract: 'the signed contract',
  award: 'the award',
  lot: 'its lots',
  tender: 'the tender',
  duration: 'its start and length',
};
const LATEST_FROM: Readonly<Record<string, string>> = {
  renewal: 'its text on renewals',
  options: 'its text on options',
  description: 'the description',
};

type Dated = Pick<z.input<typeof contractAnswer>, 'ends_basis' | 'ends_latest' | 'ends_latest_basis'>;

/** The source of the end date; null where a termination set it, which is shown elsewhere. */
export function nameEndBasis({ ends_basis }: Dated): string | null {
  return ENDS_FROM[ends_basis ?? ''] ?? null;
}

/** The last day with every option, and whether it was read from words. */
export function nameLatestEnd({ ends_latest, ends_latest_basis }: Dated): string | null {
  if (!ends_latest) return null;
  const from = LATEST_FROM[ends_latest_basis ?? ''];
  return `${formatDay(ends_latest)}${from ? `, worked out from ${from}` : ''}`;
}
