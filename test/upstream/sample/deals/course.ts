import type { Random } from '../random.ts';
import type { Deal } from './make.ts';
import { drawBeginning, type World } from './world.ts';

/** Moves a whole procurement in time. */
export function shiftDeal(deal: Deal, ms: number): Deal {
  const days = Math.round(ms / 86_400_000);
  const move = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  return {
    ...deal,
    tenderAt: deal.tenderAt + ms,
    deadlineAt: deal.deadlineAt + days * 86_400_000,
    awardAt: deal.awardAt + ms,
    signAt: deal.signAt + ms,
    starts: move(deal.starts),
    ends: move(deal.ends),
    ...(deal.extendsTo ? { extendsTo: move(deal.extendsTo) } : {}),
  };
}

/** Moves a procurement whose first notice goes out at one of its later dates: the drawn beginning is that of the notice. */
export function beginAt(random: Random, world: World, deal: Deal, first: 'awardAt' | 'signAt'): Deal {
  return shiftDeal(deal, drawBeginning(random, world) - deal[first]);
}

/** Steps that are out by now, in order of time, and how many of the kind went before each: a later version (`UK4+`) counts from one. */
export function numberSteps<Kind extends string>(
  steps: readonly { kind: Kind; at: number }[],
  nowMs: number,
): { kind: Kind; at: number; nth: number }[] {
  const seen = new Map<string, number>();
  const out = steps.toSorted((a, b) => a.at - b.at).filter(({ at }) => at <= nowMs);
  return out.map(({ kind, at }) => {
    const family = kind.replace('+', '');
    const nth = seen.get(family) ?? 0;
    seen.set(family, nth + 1);
    return { kind, at: Math.floor(at / 1000) * 1000, nth };
  });
}
