import type { OrganisationDetail } from '../../../schema/catalogue/details.ts';
import type { SmeSource } from '../../../schema/catalogue/enums.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { isSmeByAccounts } from '../../../schema/reference/company-size.ts';
import type { Region } from '../../../schema/reference/regions.ts';
import { compareText } from '../../../schema/text/ids.ts';
import { EMPTY } from '../../../schema/text/json-values.ts';
import { type Fact, keyOf } from '../../identity/facts.ts';
import type { IdentityPlan } from '../../identity/plan.ts';
import { type BuyerType, nationOfBuyer, placeOfBuyer, surestFirst } from '../../party/buyer-type.ts';
import { townIn } from '../../party/match/names.ts';
import { companyNumberOf, type IdentityKind } from '../../party/sighting.ts';
import { loseRow, type Row, type StoredRow, storeRow } from '../../rows/versioned.ts';
import { type ContractOverlay, readTallies } from './tallies.ts';
import { type ContractTally, NO_CONTRACTS } from './totals.ts';

/** One fact that releases stated about an organisation, and when last. */
interface OrganisationFact {
  field: string;
  value: string;
  last_seen: string;
  /** The notice of the latest release that said so; null where the register did. */
  notice_id: string | null;
}

/** What the Companies House register adds. */
interface RegisterFacts {
  category: string | null;
  locality: string | null;
  postcode: string | null;
}

/** The batch's facts about organisations of one kind. */
type IdentityFacts = Pick<IdentityPlan, 'kind' | 'aliases' | 'facts' | 'struck'>;

type Address = Partial<Record<'street' | 'locality' | 'postcode' | 'country', string>> & { region?: Region };

const NAMES_MAX = 20;
const NOTICES_MAX = 5;

/** The data behind an organisation's row. */
const SAID: ReadonlySet<string> = new Set(['name', 'url', 'sme', 'organisation_kind', 'address', 'identifier']);
const FACTS = `SELECT token, field, value, last_seen, notice_id FROM identity_fact
WHERE kind = ? AND token IN (SELECT value FROM json_each(?))
AND field IN (${[...SAID].map((field) => `'${field}'`).join(', ')})`;
const REGISTER = `SELECT company_number, json_extract(record, '$.accounts.category') AS category, locality, postcode
FROM registered_company WHERE gone = 0 AND company_number IN (SELECT value FROM json_each(?))`;

/**
 * Rows of every affected buyer or company with its count and totals, as they will be after the batch. An identity that now leads
 * elsewhere is gone.
 */
export async function organisationStatements(
  catalogue: Database,
  plan: IdentityFacts,
  stored: ReadonlyMap<string, StoredRow>,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Statement[]> {
  const { kind, aliases } = plan;
  await aliases.load(ids);
  const standing = ids.filter((id) => aliases.targetOf(id) === id);
  const facts = await readFacts(catalogue, plan, standing);
  const register = kind === 'company' ? await readRegister(catalogue, standing) : new Map<string, RegisterFacts>();
  const statements = ids
    .filter((id) => !facts.has(id) && stored.get(id)?.gone === 0)
    .map((id): Statement => loseRow(kind, id));
  const said = ids.filter((id) => facts.has(id));
  const tallies = await readTallies(catalogue, kind, said, overlay);
  for (const id of said) {
    const tally = tallies.get(id) ?? NO_CONTRACTS;
    const row = organisationRow(kind, id, facts.get(id) ?? [], register.get(id), tally);
    const statement = storeRow(row, stored.get(id));
    if (statement) statements.push(statement);
  }
  return statements;
}

async function readFacts(catalogue: Database, plan: IdentityFacts, ids: readonly string[]) {
  const { kind, aliases, facts: fresh, struck } = plan;
  const owners = await aliases.leadingTo(ids);
  const stored = await catalogue.read<OrganisationFact & { token: string }>({
    sql: FACTS,
    args: [kind, JSON.stringify([...owners.keys()])],
  });
  const facts = new Map<string, OrganisationFact[]>();
  const kept = stored.filter((fact) => !struck.has(keyOf(fact)));
  for (const { token, ...fact } of kept.concat(fresh.filter(({ field }) => SAID.has(field)).map(asStored))) {
    const owner = owners.get(token);
    if (!owner) continue;
    const known = facts.get(owner);
    if (known) known.push(fact);
    else facts.set(owner, [fact]);
  }
  return facts;
}

function asStored({ token, field, value, date, noticeId }: Fact): OrganisationFact & { token: string } {
  return { token, field, value, last_seen: date, notice_id: noticeId ?? null };
}

async function readRegister(catalogue: Database, ids: readonly string[]): Promise<Map<string, RegisterFacts>> {
  const numbers = ids.flatMap((id) => (id.startsWith('GB-COH-') ? id.slice('GB-COH-'.length) : []));
  if (numbers.length === 0) return new Map();
  const rows = await catalogue.read<RegisterFacts & { company_number: string }>({
    sql: REGISTER,
    args: [JSON.stringify(numbers)],
  });
  return new Map(rows.map((row) => [`GB-COH-${row.company_number}`, row]));
}

/** The row of a buyer or company from all its facts; the latest wins, ties by text. */
function organisationRow(
  kind: IdentityKind,
  id: string,
  facts: readonly OrganisationFact[],
  register: RegisterFacts | undefined,
  tally: ContractTally,
): Row {
  const [names, notices] = [latestFirst(facts, 'name'), noticesOf(facts)];
  const named = names.slice(0, NAMES_MAX).map((one) => ({ name: one, ...namedIn(notices.get(`name ${one}`)) }));
  const name = names[0] ?? id;
  const addresses = latestFirst(facts, 'address').map((text) => JSON.parse(text) as Address);
  const [town = null] = addresses.flatMap(({ street = '' }) => townIn(street) ?? []);
  const size = sizeOf(facts, register);
  const url = latestFirst(facts, 'url')[0];
  const types = typesOf(facts);
  const regions = addresses.flatMap(({ region }) => region ?? []);
  const place = kind === 'buyer' ? placeOfBuyer(names, types[0]?.type, regions) : undefined;
  const noticeIds = tally.notice_ids.length > 0 ? tally.notice_ids : latestNotices(notices);
  const detail: OrganisationDetail = {
    identifiers: identifiersOf(facts, notices),
    also_known_as: names.slice(1, NAMES_MAX + 1),
    ...(addresses[0] ? { address: plainAddress(addresses[0]) } : {}),
    ...(url ? { url } : {}),
    ...(place?.scope ? { scope: place.scope } : {}),
    ...(kind === 'company' && size ? { is_sme_source: size.source } : {}),
    names: named,
    ...(types.length > 0 ? { kinds: [...new Set(types.map(({ type }) => type))], kind_source: types[0]?.source } : {}),
    ...(noticeIds.length > 0 ? { notice_ids: noticeIds } : {}),
  };
  const common = {
    name,
    name_key: nameKey(name),
    contract_count: tally.contract_count,
    framework_places: tally.framework_places,
    totals: tally.totals,
    detail: JSON.stringify(detail),
  };
  if (kind === 'buyer') {
    const columns = {
      ...EMPTY,
      ...common,
      region: place?.region?.name ?? null,
      region_code: place?.region?.code ?? null,
      nation: nationOfBuyer(names, types[0]?.type, addresses)?.nation ?? null,
      kind: types[0]?.type ?? null,
    };
    return { table: 'buyer', id, columns };
  }
  return {
    table: 'company',
    id,
    columns: {
      ...EMPTY,
      ...common,
      company_number: companyNumberOf(id),
      is_sme: size ? Number(size.isSme) : null,
      locality: addresses.find((one) => one.locality)?.locality ?? register?.locality ?? town,
      postcode: addresses.find((one) => one.postcode)?.postcode ?? register?.postcode ?? null,
    },
  };
}

/** Notices behind its facts, if none led to a contract: the latest first. */
function latestNotices(notices: ReadonlyMap<string, Said>): string[] {
  const latest = [...notices.values()].toSorted((a, b) => compareText(b.at, a.at));
  return [...new Set(latest.map(({ notice_id }) => notice_id))].slice(0, NOTICES_MAX);
}

/** A notice, and its sort key. */
interface Said {
  at: string;
  notice_id: string;
}

/** The latest notice behind each fact, under any of its identifiers. Keys are `field value`. */
function noticesOf(facts: readonly OrganisationFact[]): Map<string, Said> {
  const latest = new Map<string, Said>();
  for (const { field, value, last_seen, notice_id } of facts) {
    if (notice_id === null) continue;
    const key = `${field} ${value}`;
    const at = `${last_seen} ${notice_id}`;
    if ((latest.get(key)?.at ?? '') < at) latest.set(key, { at, notice_id });
  }
  return latest;
}

function namedIn(said: Said | undefined): { notice_id?: string } {
  return said ? { notice_id: said.notice_id } : {};
}

/** Its kind of body by all its facts, the surest source first; a kind that only excludes another comes last. */
function typesOf(facts: readonly OrganisationFact[]): BuyerType[] {
  const types = latestFirst(facts, 'organisation_kind').map((value) => {
    const [type, source = 'name'] = value.split(' ');
    return { type, source } as BuyerType;
  });
  return surestFirst(types);
}

function latestFirst(facts: readonly OrganisationFact[], field: string): string[] {
  const values = new Map<string, string>();
  for (const { field: of, value, last_seen } of facts) {
    if (of === field && (values.get(value) ?? '') <= last_seen) values.set(value, last_seen);
  }
  const order = ([a, one]: [string, string], [b, two]: [string, string]) =>
    one === two ? Number(a > b) - Number(a < b) : Number(one < two) - Number(one > two);
  return [...values].toSorted(order).map(([value]) => value);
}

function identifiersOf(
  facts: readonly OrganisationFact[],
  notices: ReadonlyMap<string, Said>,
): OrganisationDetail['identifiers'] {
  const found = new Set(facts.flatMap(({ field, value }) => (field === 'identifier' ? [value] : [])));
  return [...found].toSorted().map((text) => {
    return { ...(JSON.parse(text) as { scheme: string; id: string }), ...namedIn(notices.get(`identifier ${text}`)) };
  });
}

function sizeOf(
  facts: readonly OrganisationFact[],
  register: RegisterFacts | undefined,
): { isSme: boolean; source: SmeSource } | null {
  const said = latestFirst(facts, 'sme')[0];
  if (said !== undefined) return { isSme: said === 'true', source: 'notice' };
  const isSme = isSmeByAccounts(register?.category);
  return isSme && { isSme, source: 'accounts' };
}

function plainAddress({ street, locality, postcode, country }: Address): NonNullable<OrganisationDetail['address']> {
  return {
    ...(street ? { street } : {}),
    ...(locality ? { locality } : {}),
    ...(postcode ? { postcode } : {}),
    ...(country ? { country } : {}),
  };
}
