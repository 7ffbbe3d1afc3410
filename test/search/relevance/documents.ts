import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { CompiledContract, CompiledNotice, CompiledProcess } from '../../../ingest/compile/types.ts';
import type { StoredRelease } from '../../../ingest/merge/uk.ts';
import { type ReadRelease, readOcdsPage } from '../../../ingest/parse/page.ts';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import { memoiseByObject } from '../../../schema/text/memoise.ts';
import { makeContractDocument } from '../../../search/documents/contract.ts';
import { makeDocument } from '../../../search/documents/from-row.ts';
import type { AnyDocument, CollectionName } from '../../../search/engine.ts';
import type { PublishedRelease, UpstreamData } from '../../upstream/data.ts';
import { haveRecordings, readKnownRecordings } from '../../upstream/recordings/known.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { plain } from './words.ts';

/** A document with the facts by which it is judged, each straight from the notice. */
export interface Judged {
  document: AnyDocument;
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
  of: CollectionName;
  asOf: Date;
  judged: Judged[];
}

let sample: UpstreamData | undefined;

/** A third of the demo's sample: enough likenesses to confuse, and quickly compiled. */
export function readSampleCollection(of: CollectionName): Collection {
  sample ??= makeSample({ notices: 1_000 });
  return collect('sample', of, sample);
}

/** The recordings compiled as the service compiles them. Null where they are not on this machine, and said aloud. */
export async function readRecordedCollection(of: CollectionName): Promise<Collection | null> {
  const isThere = haveRecordings('relevance on what was recorded');
  return isThere ? collect('recordings', of, await readKnownRecordings()) : null;
}

function collect(name: Collection['name'], of: CollectionName, data: UpstreamData): Collection {
  const judged = compileAll(data).flatMap((process) =>
    of === 'notices'
      ? process.notices.map((notice) => judgeNotice(process, notice))
      : process.contracts.map((contract) => judgeContract(process, contract)),
  );
  return { name, of, asOf: data.asOf, judged: [...new Map(judged.map((one) => [one.document.id, one])).values()] };
}

/** Once for both collections of the same data. */
const compileAll = memoiseByObject((data: UpstreamData): CompiledProcess[] => {
  const releases = [
    ...readAll(data.findATender, 'find_a_tender'),
    ...readAll(data.contractsFinder, 'contracts_finder'),
  ];
  const fetchedAt = data.asOf.toISOString();
  const byOcid = new Map<string, StoredRelease[]>();
  for (const release of releases)
    byOcid.set(release.ocid, [...(byOcid.get(release.ocid) ?? []), { ...release, fetchedAt }]);
  return [...byOcid].flatMap(([ocid, own]) => compileOcid(ocid, own));
});

function readAll(published: Iterable<PublishedRelease>, source: string): ReadRelease[] {
  const texts = [...published].map(({ release, raw }) => raw ?? JSON.stringify(release));
  return readOcdsPage(Buffer.from(`{"releases":[${texts.join(',')}]}`), { source, url: source }).releases;
}

/** The buyer and the suppliers of a notice or contract, by their names. */
function namesOf({ parties }: CompiledProcess, of: Pick<CompiledNotice, 'buyerParty' | 'supplierParties'>) {
  const sightings = new Map(parties.map(({ partyId, sighting }) => [partyId, sighting]));
  const buyer = of.buyerParty === null ? undefined : sightings.get(of.buyerParty);
  const suppliers = of.supplierParties.flatMap((party) => {
    const sighting = sightings.get(party);
    if (!sighting) return [];
    const number = sighting.identifiers.find(({ scheme }) => scheme === 'GB-COH')?.id;
    return [{ name: sighting.name, companies_house_number: (number && parseCompanyNumber(number)) || undefined }];
  });
  return { buyer: buyer?.name ?? null, suppliers };
}

/** As the service stores and indexes a contract, but that parties are known by their names. */
function judgeContract(process: CompiledProcess, contract: CompiledContract): Judged {
  const { buyer, suppliers } = namesOf(process, contract);
  const notice = process.notices.find(({ noticeId }) => noticeId === contract.noticeId);
  const document = makeContractDocument({
    id: contract.id,
    notice_id: contract.noticeId,
    ocid: process.ocid,
    source: process.source,
    nation: null,
    title: contract.title,
    buyer,
    buyer_id: null,
    value: contract.value,
    currency: contract.currency,
    dated: contract.sortDate,
    starts: contract.starts,
    ends: contract.ends,
    status: contract.status,
    procedure: contract.procedure,
    bids: contract.bidsReceived,
    sme: null,
    vcse: null,
    buyer_kind: null,
    framework_id: null,
    suppliers: JSON.stringify(suppliers.map((one) => ({ ...one, company_id: one.name }))),
    also_on: null,
    detail: JSON.stringify(contract.detail),
    register_names: '[]',
    code_names: JSON.stringify(notice?.detail.cpv_descriptions ?? {}),
  });
  return asJudged(document, notice?.detail.cpv_descriptions);
}

/** The same of a notice. */
function judgeNotice(process: CompiledProcess, notice: CompiledNotice): Judged {
  const { buyer, suppliers } = namesOf(process, notice);
  const document = makeDocument({
    id: `${notice.noticeId}_${process.id}`.replace(/[^A-Za-z0-9_-]/g, '-'),
    notice_id: notice.noticeId,
    ocid: process.ocid,
    source: process.source,
    nation: null,
    also_on: null,
    joint_buyer_ids: null,
    stage: notice.stage,
    notice_type: notice.noticeType,
    title: notice.title,
    description: notice.description,
    buyer_id: null,
    buyer,
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
    ends: null,
    ceiling_currency: null,
    framework_kind: null,
    buyer_kind: null,
    framework_references: null,
  });
  return asJudged(document, notice.detail.cpv_descriptions);
}

function asJudged(document: AnyDocument, cpvNames: Record<string, string> = {}): Judged {
  return {
    document,
    cpvNames,
    title: plain(document.title),
    description: plain(document.description),
    buyer: document.buyer === null ? null : plain(document.buyer),
    suppliers: document.suppliers.map(plain),
  };
}
