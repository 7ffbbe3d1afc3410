import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readOptions } from '../../../ingest/compile/facts/options.ts';
import { type JsonObject, objectOf, sha256, textOf, valuesOf } from '../../../schema/text/json-values.ts';
import { haveRecordings, recordedFiles } from '../../upstream/recordings/known.ts';
import { OPTION_LABELS } from './option-labels/recorded.ts';

const DEVOLVED = '../shared/devolved';
const present = haveRecordings('the labels of option texts') && existsSync(DEVOLVED);
if (!present) console.warn(`SKIPPED: the labels of option texts also need ${DEVOLVED}`);

interface Recorded {
  place: 'field' | 'text';
  /** As in the labels, and as published. */
  key: string;
  text: string;
}

const ABOUT_EXTENSION =
  /exten[ds]|extension|renew|option|further (period|year|term|\d)|additional (year|period|month|term)|\d\s*\+\s*\d/i;
const NUMBER = /\d|\b(one|two|three|four|five|six|twelve|twenty)\b/i;

/** The texts of a release that may speak of extensions: fields for them, and sentences of its descriptions. */
function textsOf(release: JsonObject): Recorded[] {
  const tender = objectOf(release.tender) ?? {};
  const holders = [...valuesOf(tender.lots), ...valuesOf(release.awards), ...valuesOf(release.contracts)];
  const objects = objectsIn(holders);
  const fields = objects.flatMap(({ renewal, options }) =>
    [renewal, options].map((one) => textOf(objectOf(one)?.description)),
  );
  const descriptions = [...objects, tender].map(({ description }) => textOf(description) ?? '');
  const sentences = descriptions
    .flatMap((text) => text.split(/(?<=[.;!?])\s+|\n+/))
    .filter((text) => ABOUT_EXTENSION.test(text) && NUMBER.test(text));
  return [
    ...fields.flatMap((text) => (text ? [{ place: 'field' as const, key: keyOf(text), text }] : [])),
    ...sentences.map((text) => ({ place: 'text' as const, key: keyOf(text), text })),
  ];
}

function objectsIn(values: readonly unknown[]): JsonObject[] {
  return values.map(objectOf).filter((one) => one !== undefined);
}

function keyOf(text: string): string {
  const line = text
    .replace(/<[^>]+>|&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return sha256(line.slice(0, 700).trim()).slice(0, 10);
}

function releasesIn(file: string): JsonObject[] {
  const text = readFileSync(file, 'utf8')
    .replace(/^\ufeff/, '')
    .replace(/: ?Infinity\b/g, ': null');
  const json = objectOf(JSON.parse(text)) ?? {};
  const records = objectsIn(valuesOf(json.records));
  const listed = [json.releases, ...records.map(({ releases }) => releases)].flatMap(valuesOf);
  const compiled = records.map(({ compiledRelease }) => compiledRelease);
  return objectsIn([...listed, ...compiled, ...(listed.length > 0 ? [] : [json])]);
}

function readTexts(): Map<string, Recorded> {
  const devolved = readdirSync(DEVOLVED, { recursive: true, encoding: 'utf8' }).map((file) => join(DEVOLVED, file));
  const files = ['contracts-finder', 'find-a-tender'].flatMap((folder) => recordedFiles(folder));
  const packages = [...files, ...devolved].filter((file) => file.endsWith('.json') && !file.includes('rest-v2'));
  return new Map(
    packages
      .flatMap(releasesIn)
      .flatMap(textsOf)
      .map((one) => [`${one.place} ${one.key}`, one]),
  );
}

/** What the rule does not find yet. Wrong ones are none. */
const MISSED_MAX = { A: 3, B: 6 };

describe.runIf(present)('what recorded texts say of extensions', () => {
  const texts = present ? readTexts() : new Map<string, Recorded>();
  const lines: string[] = [];
  afterAll(() => console.info(lines.join('\n')));

  it.each(['A', 'B'] as const)('is read right wherever it is read, half %s', (half) => {
    for (const place of ['field', 'text'] as const) {
      const tally = { right: 0, wrong: [] as string[], missed: 0, rightlyNone: 0 };
      for (const label of OPTION_LABELS.filter((one) => one.half === half && one.place === place)) {
        for (const key of label.texts.split(' ')) {
          const recorded = texts.get(`${place} ${key}`);
          expect(recorded, `${place} ${key}`).toBeDefined();
          const read = readOptions(recorded?.text, place === 'field')?.months ?? null;
          if (read === label.months) tally[read === null ? 'rightlyNone' : 'right'] += 1;
          else if (read === null) tally.missed += 1;
          else tally.wrong.push(`${key}: ${read} for ${label.months}`);
        }
      }
      const { right, wrong, missed, rightlyNone } = tally;
      lines.push(
        `half ${half}, ${place}: ${right} right, ${wrong.length} wrong, ${missed} missed, ${rightlyNone} rightly none`,
      );
      expect(wrong).toEqual([]);
      expect(missed).toBeLessThanOrEqual(MISSED_MAX[half]);
    }
  });

  it('is labelled, all of it', () => {
    const labelled = new Set(
      OPTION_LABELS.flatMap(({ place, texts }) => texts.split(' ').map((key) => `${place} ${key}`)),
    );
    expect([...texts.keys()].filter((key) => !labelled.has(key))).toEqual([]);
  });
});
