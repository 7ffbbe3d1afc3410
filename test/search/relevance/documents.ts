import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { CompiledNotice, CompiledProcess } from '../../../ingest/compile/types.ts';
import { type ReadRelease, readOcdsPage } from '../../../ingest/parse/page.ts';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import { makeDocument } from '../../../search/documents/from-row.ts';
import type { SearchDocument } from '../../../search/engine.ts';
import type { PublishedRelease, UpstreamData } from '../../upstream/data.ts';
import { haveRecordings, readKnownRecordings } from '../../upstream/recordings/known.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { plain } from './words.ts';

/** A document with the facts by which it is judged, each straight from the notice. */
export interface Judged {
  document: SearchDocument;
  /** CPV code to its published description. */
  cpvNames: Record<string, string>;
  /** Its texts made plain for comparing. */
  title: string;
  description: string;
  buyer: string | null;
  suppliers: string[];
}

export interface Collection {
  name: 'sample' | 'recordings';
  asOf: Date;
  judged: Judged[];
}

/** A third of the demo's sample: enough likenesses to confuse, and quickly compiled. */
export function readSampleCollection(): Collection {
  return collect('sample', makeSample({ notices: 1_000 }));
}

/** The recordings compiled as the service compiles them. Null where they are not on this machine, and said aloud. */
export async function readRecordedCollection(): Promise<Collection | null> {
  return haveRecordings('relevance on what was recorded') ? collect('recordings', await readKnownRecordings()) : null;
}

function collect(name: Collection['name'], data: UpstreamData): Collection {
  const releases = [
    ...readAll(data.findATender, 'find_a_tender'),
    ...readAll(data.contractsFinder, 'contracts_finder'),
  ];
  const byOcid = new Map<string, ReadRelease[]>();
  for (const release of releases) byOcid.set(release.ocid, [...(byOcid.get(release.ocid) ?? []), release]);
  const judged = [...byOcid].flatMap(([ocid, own]) =>
    compileOcid(
      ocid,
      own.map((release) => ({ ...release, fetchedAt: data.asOf.toISOString() })),
    ).flatMap((process) => process.notices.map((notice) => judge(process, notice))),
  );
  return { name, asOf: data.asOf, judged: [...new Map(judged.map((one) => [one.document.id, one])).values()] };
}

function readAll(published: Iterable<PublishedRelease>, source: string): ReadRelease[] {
  const texts = [...published].map(({ release, raw }) => raw ?? JSON.stringify(release));
  return readOcdsPage(Buffer.from(`{"releases":[${texts.join(',')}]}`), { source, url: source }).releases;
}

/** As the service stores and indexes a notice, but that a buyer is known by its name. */
function judge(process: CompiledProcess, notice: CompiledNotice): Judged {
  const sightings = new Map(process.parties.map(({ partyId, sighting }) => [partyId, sighting]));
  const buyer = notice.buyerParty === null ? undefined : sightings.get(notice.buyerParty);
  const suppliers = notice.supplierParties.flatMap((party) => {
    const sighting = sightings.get(party);
    if (!sighting) return [];
    const number = sighting.identifiers.find(({ scheme }) => scheme === 'GB-COH')?.id;
    return [{ name: sighting.name, companies_house_number: (number && parseCompanyNumber(number)) || undefined }];
  });
  const document = makeDocument({
    id: `${notice.noticeId}_${process.id}`.replace(/[^A-Za-z0-9_-]/g, '-'),
    notice_id: notice.noticeId,
    ocid: process.ocid,
    process_id: process.id,
    source: process.source,
    stage: notice.stage,
    notice_type: notice.noticeType,
    title: notice.title,
    description: notice.description,
    buyer_id: null,
    buyer: buyer?.name ?? null,
    published: notice.published,
    published_at: notice.publishedAt,
    deadline: notice.deadline,
    deadline_at: notice.deadlineAt,
    value: notice.value,
    currency: notice.currency,
    cpvs: JSON.stringify(notice.cpvs),
    regions: JSON.stringify(notice.regions),
    status: process.status,
    url: notice.url,
    is_tender: notice.isTender ? 1 : 0,
    detail: JSON.stringify({ ...notice.detail, suppliers }),
    framework_id: null,
    ceiling: null,
    ceiling_currency: null,
    framework_references: null,
  });
  return {
    document,
    cpvNames: notice.detail.cpv_descriptions ?? {},
    title: plain(document.title),
    description: plain(document.description),
    buyer: document.buyer === null ? null : plain(document.buyer),
    suppliers: document.suppliers.map(plain),
  };
}
