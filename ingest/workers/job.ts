import { type JsonObject, packText, textOf, unpackText, unpackTexts } from '../../schema/text/json-values.ts';
import { forgetResults } from '../../schema/text/memoise.ts';
import { compileOcid } from '../compile/ocid.ts';
import type { CompiledProcess } from '../compile/types.ts';
import { isDate } from '../fields/dates.ts';
import type { DatedSighting } from '../identity/facts.ts';
import { latestSightings, sightingsIn } from '../identity/resolve.ts';
import type { StoredRelease } from '../merge/uk.ts';
import { releaseKey } from '../store/releases.ts';

/** A release as it is sent to be compiled: its JSON as bytes, packed if it is stored. */
export type SentRelease = Omit<StoredRelease, 'json'> & { body: Uint8Array; isPacked: boolean };

/** Processes to compile, each with all of its releases. Pure data, so that it can be sent to another process. */
export interface CompileJob {
  processes: { ocid: string; releases: readonly SentRelease[] }[];
  /** The requested results: `changes` are the processes, and parties and stored bodies of new releases. */
  of: 'changes' | 'processes' | 'parties';
}

/** The compiled result of one ocid. Keys of releases are those of `releaseKey`. */
export interface CompiledOcid {
  ocid: string;
  processes: CompiledProcess[];
  /** The parties that a release names; where only parties were requested, without those that a later release of the job repeats. */
  sightings: Map<string, DatedSighting[]>;
  /** Bodies of new releases as they are stored. */
  packed: Map<string, Uint8Array>;
  /** The own dates of releases that were stored with another, as the program of that day could not read theirs. */
  dates: Map<string, string>;
}

/** What came of a job: each of its ocids is either compiled or has a fault. */
export interface CompiledJob {
  compiled: CompiledOcid[];
  faults: CompileFault[];
}

/** Why an ocid could not be compiled; `isFatal` where it ended every process that compiled it. */
interface CompileFault {
  ocid: string;
  message: string;
  isFatal: boolean;
}

/** A job as it is sent to a worker process. */
export type Question = CompileJob & { id: number };

/** A worker process's answer; the first one says that it is ready. */
export type Answer = CompiledJob & { id: number };

/** Compiles a job. Pure. A process that cannot be compiled is returned as a fault, not thrown. */
export function compileJob({ processes, of }: CompileJob): CompiledJob {
  const job: CompiledJob = { compiled: [], faults: [] };
  const texts = unpackAhead(processes.flatMap(({ releases }) => releases));
  for (const { ocid, releases } of processes) {
    try {
      job.compiled.push(compileOne(ocid, releases, of, texts));
    } catch (error) {
      job.faults.push({ ocid, message: (error as Error).message, isFatal: false });
    }
  }
  if (of === 'parties') dropRepeated(job.compiled);
  return job;
}

/** Drops parties that a later release of the job repeats, so that they are neither sent nor resolved. */
function dropRepeated(compiled: readonly CompiledOcid[]): void {
  const latest = new Set(latestSightings(compiled.flatMap(sightingsOf)));
  for (const { sightings } of compiled)
    for (const [key, own] of sightings)
      sightings.set(
        key,
        own.filter((one) => latest.has(one)),
      );
}

/** The JSON of a job's stored releases. Where one is damaged, each is unpacked alone later, and only its own ocid has a fault. */
function unpackAhead(sent: readonly SentRelease[]): ReadonlyMap<SentRelease, string> {
  const stored = sent.filter(({ isPacked }) => isPacked);
  try {
    const texts = [...unpackTexts(stored.map(({ body }) => body))];
    return new Map(stored.map((release, index) => [release, texts[index] ?? '']));
  } catch {
    return new Map();
  }
}

function compileOne(
  ocid: string,
  sent: readonly SentRelease[],
  of: CompileJob['of'],
  texts: ReadonlyMap<SentRelease, string>,
): CompiledOcid {
  forgetResults();
  const sightings = new Map<string, DatedSighting[]>();
  const packed = new Map<string, Uint8Array>();
  const dates = new Map<string, string>();
  const releases = sent.map((one): StoredRelease => {
    const { body, isPacked, ...head } = one;
    const text = isPacked ? (texts.get(one) ?? unpackText(body)) : Buffer.from(body).toString();
    const json = JSON.parse(text) as JsonObject;
    const own = textOf(json.date);
    const isOther = of === 'parties' && own !== head.date && isDate(own);
    if (isOther) dates.set(releaseKey(head), own);
    const release = { ...head, ...(isOther ? { date: own } : {}), json };
    if (!isPacked) packed.set(releaseKey(head), packText(body));
    if (of === 'parties' || !isPacked) sightings.set(releaseKey(head), sightingsIn(release));
    return release;
  });
  return { ocid, processes: of === 'parties' ? [] : compileOcid(ocid, releases), sightings, packed, dates };
}

/** The parties that the releases of an ocid name, if requested. */
export function sightingsOf({ sightings }: CompiledOcid): DatedSighting[] {
  return [...sightings.values()].flat();
}
