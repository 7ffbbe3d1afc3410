import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/source-files.ts';
import { type RecordedData, readRecordings } from './read-folder.ts';

/** Genuine recordings, read where they lie; they are no part of this project. */
export const RECORDINGS = '../shared/data';

/** The files that the tests know, by their paths below that folder. Whatever else lies there is not looked at. */
const KNOWN = JSON.parse(readFileSync(join(ROOT, 'test/upstream/recordings/known.json'), 'utf8')) as readonly string[];

/** Paths of the known recordings below one of their folders or of one file, in the order of their names. */
export function recordedFiles(under = ''): string[] {
  return KNOWN.filter((file) => under === '' || file === under || file.startsWith(`${under}/`)).map((file) =>
    join(RECORDINGS, file),
  );
}

/** Whether they are all there. Where one is not, says aloud what is skipped. */
export function haveRecordings(what: string, under = ''): boolean {
  const files = recordedFiles(under);
  const absent = files.find((file) => !existsSync(file));
  if (files.length > 0 && absent === undefined) return true;
  console.warn(`SKIPPED: ${what} needs recordings that are not there: ${absent ?? under}`);
  return false;
}

let known: Promise<RecordedData> | undefined;

/** All known recordings, ready to be served. They are read once in a process: a test that changes them copies them first. */
export function readKnownRecordings(): Promise<RecordedData> {
  known ??= readRecordings(RECORDINGS, { files: KNOWN });
  return known;
}
