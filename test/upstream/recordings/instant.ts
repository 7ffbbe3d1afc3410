import type { Json, PublishedRelease } from '../data.ts';

const ENOUGH_LIVE = 3;

interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * An instant inside the recordings at which tenders are live: the latest moment of publication with at least three of
 * them, so that as much as possible is published by then; where there never are three, the moment with the most.
 */
export function chooseInstant(releases: readonly PublishedRelease[]): Date {
  const spans = releases.flatMap(({ release, publishedAt }) => liveSpan(release, publishedAt));
  const moments = [...new Set(releases.map(({ publishedAt }) => publishedAt.getTime()))].sort((a, b) => b - a);
  let best = { atMs: (moments[0] ?? Date.parse('2026-01-01T00:00:00Z')) + 1000, live: 0 };
  for (const moment of moments) {
    const atMs = moment + 1000;
    const live = spans.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs).length;
    if (live >= ENOUGH_LIVE) return new Date(atMs);
    if (live > best.live) best = { atMs, live };
  }
  return new Date(best.atMs);
}

function liveSpan(release: Json, publishedAt: Date): Span[] {
  const tender = release.tender as (Json & { tenderPeriod?: { endDate?: string } }) | undefined;
  const deadline = tender?.tenderPeriod?.endDate ?? (tender?.expressionOfInterestDeadline as string | undefined);
  if (!deadline || tender?.status !== 'active') return [];
  const toMs = Date.parse(deadline);
  return Number.isNaN(toMs) ? [] : [{ fromMs: publishedAt.getTime(), toMs }];
}
