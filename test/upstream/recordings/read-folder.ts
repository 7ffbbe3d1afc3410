import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  editionOf,
  type Json,
  type PublishedRelease,
  type RegisterRow,
  type TypedRelease,
  type UpstreamData,
} from '../data.ts';
import { chooseInstant } from './instant.ts';
import { nothing, type ReadFile, readRecordedFile } from './read-file.ts';

/** What was made of one file. */
interface FileReport {
  file: string;
  shape: string;
  releases: number;
  rows: number;
  profiles: number;
  /** Why nothing was taken. */
  refused?: string;
}

/** Recordings ready to be served, and an account of every file. */
export interface RecordedData extends UpstreamData {
  report: FileReport[];
}

/**
 * Reads every file below a folder, whatever its name, as recordings of the five services.
 * @param options `asOf`: the instant to look at them; chosen inside them where none is given. `files`: only these, by
 *   their paths below the folder
 */
export async function readRecordings(
  folder: string,
  options: { asOf?: Date; files?: readonly string[] } = {},
): Promise<RecordedData> {
  const read: { file: string; found: ReadFile }[] = [];
  const paths = options.files?.map((file) => join(folder, file)) ?? (await listFiles(folder));
  for (const path of paths) {
    read.push({ file: relative(folder, path), found: await readOne(path) });
  }
  const findATender = once(read.flatMap(({ found }) => found.findATender));
  const contractsFinder = once(read.flatMap(({ found }) => found.contractsFinder));
  const byMonth = inFolders(read.flatMap(({ found }) => found.byMonth));
  const now = options.asOf ?? chooseInstant([...findATender, ...contractsFinder, ...[...byMonth.values()].flat()]);
  return {
    byMonth,
    asOf: now,
    about: describeRecordings(now),
    findATender,
    contractsFinder,
    bulk: inEditions(read.map(({ found }) => found.rows)),
    bulkEdition: editionOf(now),
    profiles: profilesOf(read.flatMap(({ found }) => found.profiles)),
    report: read.map(({ file, found }) => reportOf(file, found)),
  };
}

/** The line that says what is served: the instant in words, and no path of this machine. */
function describeRecordings(now: Date): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(now);
  const time = now.toISOString().slice(11, 16);
  return `Genuine recordings of the public services, looked at as of ${day}, ${time} UTC. Contains public sector information licensed under the Open Government Licence v3.0.`;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function readOne(path: string): Promise<ReadFile> {
  try {
    return await readRecordedFile(await readFile(path));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...nothing(), shape: 'unreadable', refused: why };
  }
}

function reportOf(file: string, found: ReadFile): FileReport {
  return {
    file,
    shape: found.shape,
    releases: found.findATender.length + found.contractsFinder.length + found.byMonth.length,
    rows: found.rows.length,
    profiles: found.profiles.length,
    ...(found.refused === undefined ? {} : { refused: found.refused }),
  };
}

/** Pages overlap: a release that came twice alike is served once. */
function once<T extends PublishedRelease>(releases: readonly T[]): T[] {
  const seen = new Map<string, T>();
  for (const each of releases)
    seen.set(`${each.release.ocid}\n${each.release.id}\n${each.raw ?? JSON.stringify(each.release)}`, each);
  return [...seen.values()];
}

/** Each service's releases by its folder. */
function inFolders(found: readonly [string, TypedRelease][]): Map<string, TypedRelease[]> {
  const folders = [...new Set(found.map(([folder]) => folder))];
  return new Map(
    folders.map((folder) => [folder, once(found.filter(([of]) => of === folder).map(([, release]) => release))]),
  );
}

/** Rows of several editions in the order of their newest incorporation, so that the newer edition has the last word. */
function inEditions(files: readonly (readonly RegisterRow[])[]): RegisterRow[] {
  const newest = (rows: readonly RegisterRow[]) =>
    rows
      .map((row) => (row.IncorporationDate ?? '').split('/').reverse().join('-'))
      .sort()
      .at(-1) ?? '';
  return files
    .map((rows) => ({ rows, edition: newest(rows) }))
    .sort((a, b) => (a.edition < b.edition ? -1 : 1))
    .flatMap(({ rows }) => rows);
}

/** Of two profiles of one company the one with the later accounts stays. */
function profilesOf(profiles: readonly Json[]): Map<string, Json> {
  const accounts = (profile: Json) => JSON.stringify((profile.accounts as Json | undefined)?.next_due ?? '');
  const sorted = [...profiles].sort((a, b) => (accounts(a) < accounts(b) ? -1 : 1));
  return new Map(sorted.map((profile) => [String(profile.company_number), profile]));
}
