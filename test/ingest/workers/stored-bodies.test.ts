import { describe, expect, it } from 'vitest';
import { compileJob, type SentRelease } from '../../../ingest/workers/job.ts';
import { packText, unpackText, unpackTexts } from '../../../schema/text/json-values.ts';
import { makeResults } from '../../../schema/text/memoise.ts';
import { makeNotice } from '../small-world.ts';

const TEXTS = ['{"title":"Cyflenwi a gosod – £5 😀"}', '{}', '', `{"a":"${'long '.repeat(400_000)}"}`, '{"last":1}'];

describe('stored bodies', () => {
  it('say together what each says alone, also empty and long ones', () => {
    const packed = TEXTS.map(packText);
    expect(packed.map(unpackText)).toEqual(TEXTS);
    expect([...unpackTexts(packed)]).toEqual(TEXTS);
    expect([...unpackTexts([])]).toEqual([]);
  });

  it.each([
    ['cut short', (body: Uint8Array) => body.slice(0, -6)],
    ['nothing but zeros', () => new Uint8Array(12)],
    ['changed', (body: Uint8Array) => body.with(-5, (body.at(-5) ?? 0) ^ 1)],
  ])('are refused together if one is %s', (_, damage) => {
    const [first, second] = [packText('{"a":1}'), packText('{"b":2}')];
    expect(() => [...unpackTexts([first, damage(second), first])]).toThrow();
  });

  it('spoil only their own process where one is damaged', () => {
    const at = new Date('2026-11-19T12:00:00Z');
    const processes = [1, 2, 3].map((number) => {
      const { release } = makeNotice(number, at);
      const { ocid, id: releaseId, date } = release as { ocid: string; id: string; date: string };
      const body = packText(JSON.stringify(release));
      const head = { source: 'find_a_tender', ocid, releaseId, date, digest: '', fetchedAt: at.toISOString() };
      const sent: SentRelease = { ...head, body: number === 2 ? body.slice(0, -6) : body, isPacked: true };
      return { ocid, releases: [sent] };
    });
    const { compiled, faults } = compileJob({ processes, of: 'processes' });
    expect(faults.map(({ ocid }) => ocid)).toEqual([processes[1]?.ocid]);
    expect(compiled.map(({ ocid, processes: [own] }) => [ocid, own?.id])).toEqual(
      [processes[0], processes[2]].map((one) => [one?.ocid, one?.ocid]),
    );
  });
});

it('what was kept for a process is forgotten before the next one is compiled', () => {
  const kept = makeResults<object, string>();
  const one = {};
  kept.set(one, 'of the process before');
  compileJob({ processes: [], of: 'processes' });
  expect(kept.get(one)).toBe('of the process before');
  compileJob({ processes: [{ ocid: 'ocds-h6vhtk-000001', releases: [] }], of: 'processes' });
  expect(kept.get(one)).toBeUndefined();
});
