import type { Json, PublishedRelease } from '../../data.ts';
import type { Random } from '../random.ts';
import { UNLIMITED } from './release-shape.ts';

/** Find a Tender's defects in the proportions measured over 1,735 releases of September 2026, where a proportion is known. */
export function spoilFindATender(
  random: Random,
  release: Json,
  serial: number,
): Pick<PublishedRelease, 'release' | 'raw'> {
  const { buyer, ...rest } = release;
  let spoiled: Json = random.chance(42 / 1735) ? rest : { ...rest, buyer };
  if (random.chance(715 / 1735)) spoiled = { buyerID: [], ...spoiled };
  if (random.chance(0.015)) spoiled = mapParties(spoiled, (number) => oddNumber(random, number));
  if (random.chance(0.12)) spoiled = withNullDescription(spoiled);
  if (random.chance(0.003)) spoiled = withValue(spoiled, 99_999_999_999);
  return { release: spoiled, ...rawOf(spoiled, serial) };
}

/** The text of a release with numbers that no JSON knows; nothing where it has none. */
function rawOf(release: Json, serial: number): { raw?: string } {
  if (tenderOf(release)?.lotDetails !== undefined) {
    const text = JSON.stringify(release);
    return text.includes(String(UNLIMITED)) ? { raw: text.replaceAll(String(UNLIMITED), '1e9999') } : {};
  }
  if (serial % 700 !== 350) return {};
  const text = JSON.stringify(release);
  const zeroed = text.replace(/"amount":[\d.]+,/, '"amount": 000,');
  return zeroed === text ? {} : { raw: zeroed };
}

/** Contracts Finder's: junk document addresses, an empty ocid, doubly encoded signs, ISO-8859-1 bytes, HTML in descriptions, odd company numbers. */
export function spoilContractsFinder(
  random: Random,
  release: Json,
  serial: number,
): Pick<PublishedRelease, 'release' | 'raw' | 'latin1'> {
  let spoiled = release;
  if (random.chance(0.06)) spoiled = mapParties(spoiled, (number) => oddNumber(random, number));
  if (serial % 350 === 175) spoiled = { ...spoiled, ocid: 'ocds-b5fd17-' };
  if (serial % 90 === 45) spoiled = withDocument(spoiled, { id: '9', url: 'http://Contract Finder' });
  if (serial % 40 === 11)
    spoiled = describe(
      spoiled,
      (text) => `${text} Estimated spend Â£${serial % 1000},000 a year â€“ see the specification.`,
    );
  if (serial % 45 === 20)
    spoiled = describe(
      spoiled,
      (text) => `<p>${text.replaceAll('&', '&amp;')}</p><br/>Terms &amp; conditions apply;&nbsp;see the portal.`,
    );
  if (serial % 60 !== 31) return { release: spoiled };
  const bytes = describe(spoiled, (text) => `${text.replace(/[^ -ÿ]/g, "'")} Café fit-out, 20°C, £${serial % 90}k.`);
  const latin = JSON.stringify(bytes);
  return /[^ -ÿ]/.test(latin) ? { release: spoiled } : { release: bytes, raw: latin, latin1: true };
}

/** How company numbers arrive: unpadded, spaced, with words before them, a VAT number, a zero, an NHS code. */
function oddNumber(random: Random, number: string): string {
  return random.weigh([
    [34, number.replace(/^0+/, '')],
    [16, `${number.slice(0, 3)} ${number.slice(3)}`],
    [14, number.toLowerCase()],
    [12, `GB${number.replace(/\D/g, '').padStart(9, '1')}`],
    [10, `Company No. ${number}`],
    [8, '0'],
    [6, 'RJR'],
  ]);
}

interface Party extends Json {
  id?: string;
  identifier?: { scheme?: string; id?: string };
}

/** Rewrites GB-COH numbers, in the party and wherever it is referred to. */
function mapParties(release: Json, change: (number: string) => string): Json {
  const parties = (release.parties as Party[] | undefined) ?? [];
  const odd = parties.find(({ identifier }) => identifier?.scheme === 'GB-COH' && identifier.id);
  const number = odd?.identifier?.id;
  if (!odd?.id || !number) return release;
  const changed = change(number);
  const text = JSON.stringify(release).replaceAll(`"${odd.id}"`, JSON.stringify(`GB-COH-${changed}`));
  return JSON.parse(text.replaceAll(`"id":"${number}"`, `"id":${JSON.stringify(changed)}`)) as Json;
}

type Tender = Json & { lots?: Json[]; documents?: Json[]; description?: string; value?: Json };
const tenderOf = (release: Json) => release.tender as Tender | undefined;

function withNullDescription(release: Json): Json {
  const tender = tenderOf(release);
  if (!tender?.lots) return release;
  return { ...release, tender: { ...tender, lots: tender.lots.map((lot) => ({ description: null, ...lot })) } };
}

/** An absurd amount, on the contract where there is one. */
function withValue(release: Json, amount: number): Json {
  const [first, ...rest] = (release.contracts as (Json & { value?: Json })[] | undefined) ?? [];
  if (first?.value) return { ...release, contracts: [{ ...first, value: { ...first.value, amount } }, ...rest] };
  const tender = tenderOf(release);
  return tender?.value ? { ...release, tender: { ...tender, value: { ...tender.value, amount } } } : release;
}

function withDocument(release: Json, document: Json): Json {
  const tender = tenderOf(release);
  return tender ? { ...release, tender: { ...tender, documents: [...(tender.documents ?? []), document] } } : release;
}

function describe(release: Json, change: (text: string) => string): Json {
  const tender = tenderOf(release);
  return tender?.description ? { ...release, tender: { ...tender, description: change(tender.description) } } : release;
}
