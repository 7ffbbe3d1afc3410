import type { Database } from '../../schema/db/interface.ts';
import { parseInstant } from '../fields/dates.ts';
import type { Ahead, Incoming } from '../store/changes.ts';
import {
  type FetchedRelease,
  HEADS,
  OF_OCIDS,
  type ReleaseHead,
  readPacked,
  releaseKey,
  withInstants,
} from '../store/releases.ts';
import type { CompiledJob, CompiledOcid, CompileJob, SentRelease } from './job.ts';

/** A release ended the processes that compiled it. Compiling it here would end this one too. */
class CompilerEnded extends RangeError {
  override name = 'CompilerEnded';
}

/** A new release of a batch, its canonical JSON as bytes. */
export type NewRelease = ReleaseHead & { bytes: Uint8Array };

/** Work for a pool of processes, or for this one. */
export type Compile = (job: CompileJob) => Promise<CompiledJob>;

/** Compiles a batch of new releases with those that are stored of their processes. */
export async function compileAhead(
  catalogue: Database,
  compile: Compile,
  releases: readonly NewRelease[],
): Promise<Ahead> {
  const ocids = new Map<string, Map<string, SentRelease>>();
  for (const { bytes, ...head } of releases) {
    const date = parseInstant(head.date) ? head.date : head.fetchedAt;
    const sent = { ...withInstants({ ...head, date }), body: bytes, isPacked: false };
    ocids.set(head.ocid, (ocids.get(head.ocid) ?? new Map<string, SentRelease>()).set(releaseKey(head), sent));
  }
  for (const { body, ...head } of await readPacked(catalogue, [...ocids.keys()]))
    ocids.get(head.ocid)?.set(releaseKey(head), { ...withInstants(head), body, isPacked: true });
  const processes = [...ocids].map(([ocid, own]) => ({ ocid, releases: [...own.values()] }));
  const news = processes.filter(({ releases }) => releases.some(({ isPacked }) => !isPacked));
  return runAhead(compile, { processes: news, of: 'changes' });
}

interface Ready extends CompiledOcid {
  /** The releases that it was compiled from. */
  version: string;
  sent: readonly SentRelease[];
}

/** Compiles a job. The result includes the releases of each of its processes. */
async function runAhead(compile: Compile, job: CompileJob): Promise<Ahead> {
  const { compiled, faults } = await compile(job);
  // A mere exception recurs where it is stored, which handles it.
  const fatal = new Set(faults.flatMap(({ ocid, isFatal }) => (isFatal ? [ocid] : [])));
  const sent = new Map(job.processes.map(({ ocid, releases }) => [ocid, releases]));
  const ready = new Map<string, Ready>();
  for (const one of compiled) {
    const own = sent.get(one.ocid) ?? [];
    ready.set(one.ocid, { ...one, sent: own, version: versionOf(own.map(headOf)) });
  }
  return {
    async readReady(catalogue, incoming) {
      const ended = incoming.fresh.find(({ ocid }) => fatal.has(ocid));
      if (ended) throw new CompilerEnded('it ended the processes that compiled it');
      // Takedowns have not yet been applied to the releases that were sent.
      for (const release of incoming.fresh) if (!isAsSent(release, ready.get(release.ocid))) ready.delete(release.ocid);
      const versions = await readVersions(catalogue, [...ready.keys()], incoming);
      return new Map(
        [...ready.values()]
          .filter(({ ocid, version }) => versions.get(ocid) === version)
          .map(({ ocid, processes }) => [ocid, processes]),
      );
    },
    sightingsOf: (release) => ready.get(release.ocid)?.sightings.get(releaseKey(release)),
    packedOf: (release) => ready.get(release.ocid)?.packed.get(releaseKey(release)),
  };
}

function isAsSent(release: FetchedRelease, ready: Ready | undefined): boolean {
  const key = releaseKey(release);
  const sent = ready?.sent.find((one) => releaseKey(one) === key);
  return sent !== undefined && !sent.isPacked && Buffer.from(release.body).equals(sent.body);
}

/** Distinguishes the versions of a release: a stored body by the checksum at its end. */
type Head = ReturnType<typeof withInstants> & { checksum: string };

/** gzip ends with the checksum and the length of its contents. */
const CHECKSUM_BYTES = 8;
const CHECKSUMS = `SELECT ${HEADS}, hex(substr(r.body, -${CHECKSUM_BYTES})) AS checksum ${OF_OCIDS}`;

function headOf({ body, isPacked, ...head }: SentRelease): Head {
  const checksum = isPacked ? Buffer.from(body.subarray(-CHECKSUM_BYTES)).toString('hex').toUpperCase() : '';
  return { ...head, checksum };
}

/** The releases from which each of these ocids would be compiled now. */
async function readVersions(
  catalogue: Database,
  ocids: readonly string[],
  { fresh, instants }: Incoming,
): Promise<Map<string, string>> {
  const heads = new Map<string, Head[]>(ocids.map((ocid) => [ocid, []]));
  type Row = ReleaseHead & { checksum: string };
  const stored = await catalogue.read<Row>({ sql: CHECKSUMS, args: [JSON.stringify(ocids)] });
  for (const { checksum, ...head } of [...stored, ...fresh.map((release) => ({ ...release, checksum: '' }))])
    heads.get(head.ocid)?.push({ ...withInstants(head, instants), checksum });
  return new Map([...heads].map(([ocid, own]) => [ocid, versionOf(own)]));
}

function versionOf(heads: readonly Head[]): string {
  const lines = heads.map(({ releaseId, digest, date, fetchedAt, lastFetchedAt = '', checksum }) =>
    [releaseId, digest, date, fetchedAt, lastFetchedAt, checksum].join('\n'),
  );
  return lines.toSorted().join('\n\n');
}

/** Works on the members of a list and yields the results in order, while the next ones are in progress. */
export async function* workAhead<T, R>(
  members: Iterable<T> | AsyncIterable<T>,
  most: number,
  begin: (member: T) => Promise<R>,
): AsyncGenerator<R, undefined> {
  const begun: Promise<R>[] = [];
  for await (const member of members) {
    const result = begin(member);
    // A fault is reported when its turn comes. If the work ends before that, nobody sees it.
    void Promise.allSettled([result]);
    begun.push(result);
    const next = begun.length > most ? begun.shift() : undefined;
    if (next) yield await next;
  }
  for (const result of begun) yield await result;
}
