import type { Match } from '../../schema/catalogue/details.ts';
import type { MatchMethod } from '../../schema/catalogue/enums.ts';
import type { Database } from '../../schema/db/interface.ts';
import { parseNoticeId, parseOcid } from '../../schema/text/ids.ts';
import type { CompiledParty } from '../compile/types.ts';
import { partyKey, type ResolvedParty } from '../identity/resolve.ts';
import type { Sighting } from '../party/sighting.ts';
import type { ExplainedSuccession } from './types.ts';

/** What a given id turned out to name. */
export interface RequestedId {
  by: 'notice' | 'contract' | 'ocid';
  processIds: string[];
  noticeId?: string;
  contractId?: string;
}

const BY_NOTICE = 'SELECT process_id FROM notice WHERE notice_id = ? AND gone = 0 ORDER BY process_id';
const BY_CONTRACT = 'SELECT process_id FROM contract WHERE id = ? AND gone = 0';
const BY_ID = 'SELECT id AS process_id FROM process WHERE id = ? AND gone = 0';
const BY_OCID = 'SELECT id AS process_id FROM process WHERE ocid = ? AND gone = 0 ORDER BY id';

/** The processes of a notice id, contract id, process id or ocid, in any case; null where nothing is stored under it. */
export async function readRequestedId(catalogue: Database, given: string): Promise<RequestedId | null> {
  const read = async (sql: string, id: string) => {
    const rows = await catalogue.read<{ process_id: string }>({ sql, args: [id] });
    return rows.map(({ process_id }) => process_id);
  };
  const noticeId = parseNoticeId(given) ?? given.trim();
  const ofNotice = await read(BY_NOTICE, noticeId);
  if (ofNotice.length > 0) return { by: 'notice', processIds: ofNotice, noticeId };
  const id = given.trim().toLowerCase();
  const ofContract = await read(BY_CONTRACT, id);
  if (ofContract.length > 0) return { by: 'contract', processIds: ofContract, contractId: id };
  const whole = await read(BY_ID, id);
  const processIds = whole.length > 0 ? whole : await read(BY_OCID, parseOcid(given) ?? id);
  return processIds.length > 0 ? { by: 'ocid', processIds } : null;
}

/** A stored release as the order of a merge sees it; `isEmpty` where its notice was taken down. */
export interface ReleaseRow {
  releaseId: string;
  date: string;
  fetchedAt: string;
  digest: string;
  isEmpty: boolean;
}

const RELEASES = 'SELECT release_id, date, fetched_at, digest, length(body) = 0 AS empty FROM release WHERE ocid = ?';

/** The stored releases of an ocid, without their bodies, in no fixed order. */
export async function readStoredReleases(catalogue: Database, ocid: string): Promise<ReleaseRow[]> {
  type Row = { release_id: string; date: string; fetched_at: string; digest: string; empty: number };
  const rows = await catalogue.read<Row>({ sql: RELEASES, args: [ocid] });
  return rows.map(({ release_id, date, fetched_at, digest, empty }) => ({
    releaseId: release_id,
    date,
    fetchedAt: fetched_at,
    digest,
    isEmpty: empty === 1,
  }));
}

const PARTIES = 'SELECT party_id, role, sighting, identity_id, method, score, evidence FROM party WHERE process_id = ?';

/** The parties of a process as they were last resolved. Keys are `role party_id`. */
export async function readResolvedParties(catalogue: Database, processId: string): Promise<Map<string, ResolvedParty>> {
  type Row = {
    party_id: string;
    role: CompiledParty['role'];
    sighting: string;
    identity_id: string;
    method: MatchMethod;
    score: number;
    evidence: string;
  };
  const rows = await catalogue.read<Row>({ sql: PARTIES, args: [processId] });
  return new Map(
    rows.map((row): [string, ResolvedParty] => {
      const party = {
        partyId: row.party_id,
        role: row.role,
        sighting: JSON.parse(row.sighting) as Sighting,
        sharedIds: [],
      };
      const match: Match = { method: row.method, score: row.score, evidence: JSON.parse(row.evidence) as string[] };
      return [partyKey(row.role, row.party_id), { party, identityId: row.identity_id, match }];
    }),
  );
}

const SUCCESSION = 's.process_id, s.contract_id, s.method, s.score, s.evidence';
const SUREST = 'ORDER BY s.score DESC, s.process_id, s.contract_id';
const INCUMBENTS = `SELECT ${SUCCESSION}, c.title FROM succession s JOIN contract c ON c.id = s.contract_id
  WHERE s.process_id = ? AND c.gone = 0 ${SUREST}`;
const SUCCESSORS = `SELECT ${SUCCESSION}, p.title FROM contract c JOIN succession s ON s.contract_id = c.id
  JOIN process p ON p.id = s.process_id WHERE c.process_id = ? AND c.gone = 0 AND p.gone = 0 ${SUREST}`;

/** The contracts that a process may succeed, and the procurements that may succeed its contracts, as last found among all purchases of its buyer. */
export async function readSuccessions(
  catalogue: Database,
  processId: string,
): Promise<Record<'incumbents' | 'successors', ExplainedSuccession[]>> {
  const read = async (sql: string): Promise<ExplainedSuccession[]> => {
    type Row = Omit<ExplainedSuccession, 'evidence'> & { evidence: string };
    const rows = await catalogue.read<Row>({ sql, args: [processId] });
    return rows.map((row) => ({ ...row, evidence: JSON.parse(row.evidence) as string[] }));
  };
  return { incumbents: await read(INCUMBENTS), successors: await read(SUCCESSORS) };
}
