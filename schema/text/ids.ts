import { createHash } from 'node:crypto';

const NOTICE_GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NOTICE_NUMBER = /^\d{6}-\d{4}$/;
const OCID = /^ocds-[a-z0-9]{6}[a-z0-9]*-.+$/i;

/** Prefixes of Companies House numbers in use (chguide.co.uk; Companies House URI guide). Two letters, or `R0`. */
const PREFIXES = new Set(
  'SC NI R0 OC SO NC LP SL NL FC SF NF BR SE ES EN GE GS GN AC SA NA ZC SZ NZ CE CS SG RC SR NR IP SP NP RS OE NO IC SI NV AP PC'.split(
    ' ',
  ),
);

/**
 * A Companies House number in its 8-character form, or null where the text cannot be one.
 * Spaces and punctuation go, letters become capitals, digits are padded to 8, digits after a prefix to 6.
 * Numbers may end in a letter (registered societies), so the tail is not judged beyond having a digit.
 */
export function parseCompanyNumber(raw: string): string | null {
  const bare = raw.toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (/^\d{1,8}$/.test(bare)) return /^0+$/.test(bare) ? null : bare.padStart(8, '0');
  const match = /^([A-Z]{2}|R0)(\d[0-9A-Z]{0,5})$/.exec(bare);
  if (!match) return null;
  const [, lead = '', tail = ''] = match;
  if (!PREFIXES.has(lead) || /^0+$/.test(tail)) return null;
  return lead + tail.padStart(6, '0');
}

/** A notice id as its source writes it (`NNNNNN-YYYY`, or a GUID in lower case), or null. */
export function parseNoticeId(raw: string): string | null {
  const text = raw.trim();
  if (NOTICE_NUMBER.test(text)) return text;
  return NOTICE_GUID.test(text) ? text.toLowerCase() : null;
}

/** An ocid in lower case, or null. An empty tail (`ocds-b5fd17-`, seen on Contracts Finder) is refused; so is a contract id. */
export function parseOcid(raw: string): string | null {
  const text = raw.trim();
  return OCID.test(text) && parseContractId(text) === null ? text.toLowerCase() : null;
}

/** The ocid of a process: where buyers share one, a process id is the ocid and `~` with a mark of the buyer. */
export function ocidOf(processId: string): string {
  return processId.replace(/~[0-9a-f]{8}$/, '');
}

/** `<process id>-a-<award>`: the award as published where that is short and plain, else 10 hex digits of its sha256. */
const CONTRACT_ID = /^(ocds-[a-z0-9]{6}[a-z0-9]*-[^\s]+)-a-([a-z0-9]+(?:-[a-z0-9]+)*)$/i;
const PLAIN_AWARD = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * A contract's id: stable, URL-safe and readable, as `ocds-h6vhtk-0525b3-a-1`. Contracts Finder's award ids repeat the
 * ocid, which is left out. `-a-` sets it apart from an ocid: no ocid in use has a one-letter part in its tail.
 */
export function makeContractId(processId: string, awardId: string): string {
  const ocid = ocidOf(processId);
  const own = awardId.toLowerCase().startsWith(`${ocid}-`) ? awardId.slice(ocid.length + 1) : awardId;
  const isPlain = PLAIN_AWARD.test(own) && own.length <= 40 && !/(^|-)a(-|$)/.test(own);
  return `${processId}-a-${isPlain ? own : createHash('sha256').update(awardId).digest('hex').slice(0, 10)}`;
}

/** The process that a contract id belongs to, both in lower case, or null where the text is no contract id. */
export function parseContractId(raw: string): { contractId: string; processId: string } | null {
  const text = raw.trim();
  const match = CONTRACT_ID.exec(text);
  return match ? { contractId: text.toLowerCase(), processId: (match[1] ?? '').toLowerCase() } : null;
}

/** The 8 digits of a CPV code (`45000000`, `45000000-7`), or null. */
export function parseCpv(raw: string): string | null {
  const match = /^(\d{8})(-\d)?$/.exec(raw.trim());
  return match?.[1] ?? null;
}
