import { isoInstant, londonTime } from '../../schema/config/clocks.ts';
import type { Database } from '../../schema/db/interface.ts';
import type { RequestRecord } from '../upstream/server.ts';

/** What a catalogue holds as complete, as plain data. */
export interface Held {
  windows: HeldWindow[];
  /** Months of a notice type that are over and were read since, as their addresses name them. */
  cells: string[];
  /** Parts of the newest edition that are applied, from the first on. */
  parts: number;
  /** Company numbers whose profile is held, or known not to exist. */
  profiles: string[];
}

interface HeldWindow {
  source: string;
  from: string;
  until: string;
}

const PARAMETERS = [
  { source: 'find_a_tender', from: 'updatedFrom', until: 'updatedTo', show: londonTime },
  { source: 'contracts_finder', from: 'publishedFrom', until: 'publishedTo', show: isoInstant },
] as const;

/**
 * Reads what is complete: windows up to `overlapMs` before they were asked, parts of the edition, profiles.
 * Before a re-walk, which asks for what is held once more, only the windows of a re-walk that was killed.
 */
export async function readStored(catalogue: Database, overlapMs: number, job?: string): Promise<Held> {
  return {
    windows: await readWindows(catalogue, overlapMs, job === 'rewalk' ? REWALKED : ''),
    cells: await readSettledCells(catalogue),
    parts: await readParts(catalogue),
    profiles: await readProfiles(catalogue),
  };
}

/** Whether a request asks for what is held. */
export function asksForHeld({ windows, cells, parts, profiles }: Held, { path, query }: RequestRecord): boolean {
  const folder = /^\/([a-z0-9-]+)\/v1\/Notices$/.exec(path)?.[1];
  if (folder) return cells.includes(cellName(folder, query));
  const part = /-part(\d+)_\d+\.zip$/.exec(path)?.[1];
  if (part) return Number(part) <= parts;
  const company = /^\/company\/(.+)$/.exec(path)?.[1];
  if (company) return profiles.includes(company);
  return windows.some(({ source, from, until }) => {
    const names = PARAMETERS.find((each) => each.source === source);
    const [askedFrom, askedUntil] = [query[names?.from ?? ''], query[names?.until ?? '']];
    return askedFrom !== undefined && askedUntil !== undefined && from <= askedFrom && askedUntil <= until;
  });
}

/** Of the re-walk that has not come to its end: one that was killed after its last word is over, and the next begins again. */
const REWALKED = `AND run_id IN (SELECT id FROM run WHERE job = 'rewalk' AND state NOT IN ('succeeded', 'empty')
  AND started_at > coalesce((SELECT max(ended.started_at) FROM run ended
    WHERE ended.job = 'rewalk' AND ended.source = run.source AND ended.state IN ('succeeded', 'empty')), ''))`;

/** Ends of every complete window as its service writes them, so that text order is time order. */
async function readWindows(catalogue: Database, overlapMs: number, and: string): Promise<HeldWindow[]> {
  const rows = await catalogue.read<HeldWindow & { completed_at: string }>({
    sql: `SELECT source, "from", until, completed_at FROM window WHERE state <> 'split' ${and}`,
  });
  return rows.flatMap(({ source, from, until, completed_at }) => {
    const { show } = PARAMETERS.find((each) => each.source === source) ?? PARAMETERS[1];
    const settled = new Date(Math.min(Date.parse(until), Date.parse(completed_at) - overlapMs));
    return [{ source, from: show(new Date(from)), until: show(settled) }];
  });
}

const cellName = (folder: string, { dateFrom, noticeType }: Record<string, string>) =>
  `${folder} ${dateFrom} ${noticeType}`;

/**
 * A turn asks its last two months again, and an empty answer has the month before looked at: a cell is settled for good when
 * its next month is, and a turn has come to the one after that.
 */
async function readSettledCells(catalogue: Database): Promise<string[]> {
  const month = (months: number) => `strftime('%Y-%m', c.month || '-01', '+${months} months')`;
  const rows = await catalogue.read<{ source: string; month: string; type: string }>({
    sql: `SELECT source, month, type FROM cell c WHERE state <> 'failed'
      AND EXISTS (SELECT 1 FROM cell n WHERE n.source = c.source AND n.type = c.type AND n.month = ${month(1)} AND n.state <> 'failed')
      AND EXISTS (SELECT 1 FROM cell n WHERE n.source = c.source AND n.month = ${month(2)})`,
  });
  return rows.map(({ source, month: text, type }) => {
    const [year, number] = text.split('-');
    return cellName(source.replaceAll('_', '-'), { dateFrom: `${number}-${year}`, noticeType: type });
  });
}

/** How many parts of the edition are applied; all of them where its cursor is a plain date. */
async function readParts(catalogue: Database): Promise<number> {
  const [row] = await catalogue.read<{ value: string }>({
    sql: "SELECT value FROM cursor WHERE source = 'companies_house'",
  });
  if (!row) return 0;
  const done = / (\d+)\/\d+$/.exec(row.value)?.[1];
  return done === undefined ? Number.MAX_SAFE_INTEGER : Number(done);
}

async function readProfiles(catalogue: Database): Promise<string[]> {
  const rows = await catalogue.read<{ number: string }>({
    sql: `SELECT company_number AS number FROM registered_company WHERE profile IS NOT NULL
      UNION SELECT value FROM unknown_value WHERE field = 'company_number'`,
  });
  return rows.map(({ number }) => number);
}
