import { describe, expect, it } from 'vitest';
import { EARLY_LABELS } from './framework-labels/early.ts';
import { MIDDLE_LABELS } from './framework-labels/middle.ts';
import { MIDDLE_SECOND_LABELS } from './framework-labels/middle-second.ts';
import { MIDDLE_THIRD_LABELS } from './framework-labels/middle-third.ts';
import { RECENT_LABELS } from './framework-labels/recent.ts';

const unique = (keys: string[]) => keys.filter((key, at) => keys.indexOf(key) !== at);

describe('the labels of the recordings', () => {
  const labels = [...EARLY_LABELS, ...MIDDLE_LABELS, ...MIDDLE_SECOND_LABELS, ...MIDDLE_THIRD_LABELS, ...RECENT_LABELS];
  const count = (kind: string) => labels.filter(({ label }) => label === kind).length;

  it('name each process once, with a reason', () => {
    expect(unique(labels.map(({ ocid }) => ocid))).toEqual([]);
    expect(labels.filter(({ ocid, why }) => !ocid.startsWith('ocds-') || why.length < 5)).toEqual([]);
  });

  it('are at least 200, of every kind', () => {
    expect(labels.length).toBeGreaterThanOrEqual(200);
    expect(count('framework') + count('market')).toBeGreaterThanOrEqual(75);
    expect(count('none')).toBeGreaterThanOrEqual(75);
    expect(count('market')).toBeGreaterThanOrEqual(10);
  });
});
