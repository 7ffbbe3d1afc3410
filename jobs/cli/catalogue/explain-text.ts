import type {
  ExplainedContract,
  ExplainedCopy,
  ExplainedNotice,
  ExplainedParty,
  ExplainedSuccession,
  Explanation,
} from '../../../ingest/explain/types.ts';
import { listServices } from '../../../ingest/sources/index.ts';
import { groupBy } from '../../../schema/text/memoise.ts';
import { countOf, formatTable } from '../shared/text.ts';

const WIDTH = 12;
const CONTRACTS_SHOWN = 20;
const AWARDS_NAMED = 10;

/** An explanation as lines for a terminal; the requested thing comes first, in detail. */
export function wordExplanation(explained: Explanation): string[] {
  const { asked, process, merge, notices, documents } = explained;
  const focus = notices.find(({ notice_id }) => notice_id === asked.notice_id) ?? notices.at(-1);
  return [
    `process ${process.id} (${process.source})`,
    field('title', process.title),
    field('status', `${process.status}: ${process.status_why}`),
    field('stage', process.stage),
    field('catalogue', wordDiffering(process.rows_differing)),
    '',
    'releases, in the order of the merge (date, fetched, id, digest)',
    ...tableOf(explained.releases.map((one) => ({ ...one, tag: one.tag.join('+'), digest: one.digest.slice(0, 12) }))),
    ...merge.map((line) => `  exception: ${line}`),
    ...wordLeftOut(explained),
    '',
    ...(focus ? wordNotice(focus) : []),
    '',
    'notices of the process',
    ...tableOf(
      notices.map(({ notice_id, notice_type, stage, published, kind_from }) => {
        return { notice_id, type: notice_type, stage, published, kind_from };
      }),
    ),
    ...wordContracts(explained, focus),
    '',
    ...wordFramework(explained),
    '',
    ...wordRelated(explained),
    '',
    ...wordSuccessions(explained),
    '',
    `documents: ${documents.length}`,
    ...documents.map(({ name, url, notice_id }) => `  ${notice_id ?? ''}  ${name}  ${url}`),
  ];
}

function wordLeftOut({ left_out }: Explanation): string[] {
  return [...groupBy(left_out, ({ why }) => why)].map(([why, awards]) => {
    const ids = awards.map(({ award_id }) => award_id);
    const named = ids.slice(0, AWARDS_NAMED).join(' ');
    return `  no contract: ${countOf(ids.length, 'award')} (${named}${ids.length > AWARDS_NAMED ? ' …' : ''}): ${why}`;
  });
}

function field(name: string, text: string): string {
  return `  ${name.padEnd(WIDTH)}${text}`;
}

/** Another line of the field above. */
function more(text: string): string {
  return `  ${' '.repeat(WIDTH)}${text}`;
}

function tableOf<T extends object>(rows: readonly T[]): string[] {
  const [first] = rows;
  if (!first) return [];
  return formatTable(rows, Object.keys(first) as (keyof T & string)[]).map((line) => `  ${line}`);
}

function wordDiffering(rows: number): string {
  return rows === 0
    ? 'holds the same'
    : `differs in ${countOf(rows, 'row')}, compiled by another version (see rebuild)`;
}

function wordNotice(notice: ExplainedNotice): string[] {
  const { notice_id, notice_type, stage, title, buyer, deadline, value, cpvs, regions, nation, award_ids, warnings } =
    notice;
  const money = value && `${formatMoney(value.amount, value.currency)} ${value.basis ?? ''}`;
  return [
    `notice ${notice_id}, published ${notice.published}`,
    field('kind', `${notice_type}, stage ${stage} (${notice.kind_from})`),
    ...(notice.copy_of ? [field('copy of', notice.copy_of)] : []),
    ...notice.also_on.map(wordCopy),
    field('title', `${title.value} (from ${title.from})`),
    ...(buyer ? wordParty('buyer', buyer, `, named in ${buyer.from}`) : [field('buyer', 'none was named')]),
    ...(buyer?.region ? [more(`in ${buyer.region}`)] : []),
    ...(buyer?.kind ? [more(`kind: ${buyer.kind}`)] : []),
    field('deadline', deadline ? `${deadline.value}, at ${deadline.at} (${deadline.from})` : '-'),
    field('status', notice.status),
    field('live', `${notice.live ? 'yes' : 'no'}: ${notice.live_why}`),
    field('value', money ?? '-'),
    field('CPV', cpvs.value.length > 0 ? `${cpvs.value.join(' ')} (from ${cpvs.from})` : '-'),
    field('region', regions.value.length > 0 ? `${regions.value.join(', ')} (from ${regions.from})` : '-'),
    ...regions.signs.map((sign) => more(`   ${sign}`)),
    field('nation', nation ? `${nation.value} (by its ${nation.from})` : '-'),
    field('awards', award_ids.join(' ') || '-'),
    field('documents', String(notice.documents)),
    ...warnings.map((warning) => field('warning', warning)),
  ];
}

function wordCopy({ source, id, notice_ids }: ExplainedCopy): string {
  return field('also on', `${source} as ${id}${notice_ids.includes(id) ? '' : `, by ${notice_ids.join(' ')}`}`);
}

function wordParty(role: string, { name, identity, match }: ExplainedParty, rest: string): string[] {
  return [
    field(role, `${name}${rest}`),
    more(`-> ${identity}, by ${match.method}, score ${match.score}`),
    ...match.evidence.map((text) => more(`   ${text}`)),
  ];
}

/** Those that the requested notice concerns come first. */
function wordContracts({ asked, contracts }: Explanation, focus: ExplainedNotice | undefined): string[] {
  if (contracts.length === 0) return ['', 'contracts: none'];
  const named = new Set(asked.by === 'notice' ? focus?.award_ids : []);
  const isFirst = (one: ExplainedContract) => named.has(one.award_id) || one.contract_id === asked.contract_id;
  const ordered = [...contracts.filter(isFirst), ...contracts.filter((one) => !isFirst(one))];
  const rest = ordered.length - CONTRACTS_SHOWN;
  return [
    ...ordered.slice(0, CONTRACTS_SHOWN).flatMap(wordContract),
    ...(rest > 0 ? ['', `and ${rest} further contracts: --json tells all`] : []),
  ];
}

function wordContract(contract: ExplainedContract): string[] {
  const { award_id, signed_ids, notices, value, dates, lots, suppliers } = contract;
  const signed = signed_ids.length > 0 ? `signed contracts ${signed_ids.join(' ')}` : 'no signed contract';
  const spoken = notices.map(({ notice_id, notice_type }) => `${notice_id} (${notice_type})`).join(', ');
  const days = Object.entries(dates).flatMap(([name, day]) => (day ? [`${name} ${day}`] : []));
  return [
    '',
    `contract ${contract.contract_id}`,
    field('made of', `award ${award_id}, ${signed}: one contract`),
    ...(contract.also_published_as.length > 0
      ? [field('again as', `${contract.also_published_as.join(' ')}: published more than once`)]
      : []),
    ...(contract.counted_as.length > 0 ? [field('counted', `once, as ${contract.counted_as.join(' ')}`)] : []),
    ...contract.also_on.map(wordCopy),
    field('notices', spoken || 'none names the award'),
    field('title', contract.title),
    field('status', contract.status),
    field('value', `${formatMoney(value.amount, value.currency)} ${value.basis ?? ''}`.trimEnd()),
    more(`${value.class}: ${value.class_why}`),
    ...value.candidates.map(({ from, amount, currency, chosen }) =>
      more(`   ${from.padEnd(24)}${formatMoney(amount, currency)}${chosen ? '  <- chosen' : ''}`),
    ),
    ...(suppliers.length === 0 ? [field('supplier', 'none was named')] : []),
    ...suppliers.flatMap((one) =>
      wordParty('supplier', one, `, named in ${one.notice_ids.join(' ') || 'no notice of its own'}`),
    ),
    field('dates', days.join(', ') || '-'),
    ...wordFacts(contract),
    ...(lots.length > 0 ? [field('lots', lots.join(' '))] : []),
    ...contract.warnings.map((warning) => field('warning', warning)),
  ];
}

function wordFacts({ ends_from, ends_latest_from, procedure, bids }: ExplainedContract): string[] {
  const { from, lots = [], ...whole } = bids ?? { from: null };
  const sayBids = (figures: object) =>
    Object.entries(figures)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  return [
    ...(ends_from ? [more(`ends: ${ends_from}`)] : []),
    ...(ends_latest_from ? [more(`ends_latest: ${ends_latest_from}`)] : []),
    field('procedure', `${procedure.code ?? 'not stated'}, published "${procedure.published ?? ''}"`),
    ...procedure.justification.map((text) => more(`because ${text}`)),
    ...(bids ? [field('bids', [sayBids(whole), `in ${from}`].filter(Boolean).join(' '))] : []),
    ...lots.map(({ lot_id, ...figures }) => more(`lot ${lot_id}: ${sayBids(figures)}`)),
  ];
}

function wordFramework({ framework, call_off }: Explanation): string[] {
  if (framework) {
    const { kind, ceiling, starts, ends, references } = framework;
    return [
      `it sets up a ${kind.replace('_', ' ')}: ${framework.evidence.join('; ')}`,
      ...(framework.copy_of ? [field('copy of', framework.copy_of)] : []),
      ...framework.also_on.map(wordCopy),
      field('ceiling', formatMoney(ceiling.amount, ceiling.currency)),
      field('period', `${starts ?? '?'} to ${ends ?? '?'}`),
      field('references', references.join(' ') || '-'),
      field('notices', framework.notice_ids.join(' ')),
      ...framework.lots.map(({ lot_id, title, suppliers }) =>
        field(`lot ${lot_id}`, `${title}: ${suppliers.join('; ') || 'no supplier yet'}`),
      ),
    ];
  }
  if (!call_off) return ['framework: it neither sets one up nor was called off from one'];
  const { evidence, framework_id, method, link_evidence } = call_off;
  return [
    `called off from a framework: ${evidence.join('; ')}`,
    field(
      'linked to',
      framework_id ? `${framework_id}, by ${method}: ${link_evidence.join(' ')}` : 'none that is stored',
    ),
  ];
}

function wordRelated({ process, related, related_signs }: Explanation): string[] {
  const { title, reference, mentions } = related_signs;
  const others = listServices().filter(({ id }) => id !== process.source);
  const service = others.map((other) => other.title).join(' or ');
  const sought = [title && `title "${title}"`, reference && `reference ${reference}`].filter(Boolean).join(', ');
  return [
    `the same procurement on ${service}: ${related.length === 0 ? 'none that is stored' : related.length}`,
    field(
      'sought by',
      sought || 'nothing: it is under the Procurement Act, before 2021, or has no telling title and reference',
    ),
    ...(mentions.length > 0 ? [field('names', mentions.join(' '))] : []),
    ...related.flatMap((one) => [
      field('found', `${one.process_id} ${one.title}, by ${one.method}, score ${one.score}`),
      ...one.evidence.map((text) => more(`   ${text}`)),
    ]),
  ];
}

function wordSuccessions({ incumbents, successors }: Explanation): string[] {
  const each = (name: string, found: Explanation['incumbents'], idOf: (one: ExplainedSuccession) => string) =>
    found.flatMap((one) => [
      field(name, `${idOf(one)} ${one.title}, by ${one.method}, score ${one.score}`),
      ...one.evidence.map((text) => more(`   ${text}`)),
    ]);
  return [
    `before and after: ${incumbents.length + successors.length === 0 ? 'none that is sure enough' : 'by the same buyer'}`,
    ...each('may succeed', incumbents, (one) => one.contract_id),
    ...each('then perhaps', successors, (one) => `${one.process_id}, after ${one.contract_id},`),
  ];
}

function formatMoney(amount: number | null, currency: string | null): string {
  return amount === null ? '-' : `${amount.toLocaleString('en-GB')} ${currency ?? ''}`.trimEnd();
}
