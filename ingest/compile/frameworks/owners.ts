/**
 * Bodies that let frameworks for others to use, and the names by which these frameworks go, as call-offs of recorded notices
 * and the bodies' own lists of agreements spell them. Only the body itself sets one up.
 */
const OWNERS: readonly string[] = [
  'APUC',
  'CCS|GCA|Crown Commercial(?: Service)?|Government Commercial Agency',
  'CHIC',
  'CPC|Crescent Purchasing(?: Consortium)?',
  'Everything ICT',
  'ESPO|Eastern Shires Purchasing(?: Organisation)?',
  'Efficiency East Midlands|EEM',
  'Fusion ?21',
  'HealthTrust Europe|HTE',
  'Hub (?:North|South East|South West|East Central|West)(?: Scotland)?',
  'KCS',
  'LHC',
  'LUPC|NEUPC|NWUPC|SUPC|HEPCW|TUCO',
  'NEPO|NEPRO',
  'NHS Supply Chain|NHS SC',
  'NHS Building for Wales|Designed for Life',
  'NHS SBS|NHS Shared Business Services|SBS',
  'Pagabo',
  'Pro ?Cure ?2[0-3]|P2[23]',
  'Procure Partnerships',
  'Procurement for Housing|PfH',
  'Scape',
  'SEWSCAP ?\\d?|SEWTAPS|SWWRCF',
  'SPA|Scottish Procurement Alliance|SWPA|WPA',
  'Scotland Excel',
  'YORbuild ?\\d?|YORcivil ?\\d?|YORhub',
  'YPO|Yorkshire Purchasing(?: Organisation)?',
];

/** Words that may stand between the body's name and the word for what it lets. */
const BETWEEN = '(?:\\s+\\S+){0,4}\\s*$';
const BEFORE = OWNERS.map((names) => new RegExp(`(?:^|[\\s(])(?:${names})${BETWEEN}`, 'i'));
const AFTER = OWNERS.map((names) => new RegExp(`^\\s*[:(]?\\s*(?:${names})\\b`, 'i'));
const NAMES = OWNERS.map((names) => new RegExp(`\\b(?:${names})\\b`, 'i'));

/** Whether what stands around a mention says that it is the framework of a body that lets them for others, other than the buyer. Of a consortium nobody can tell. */
export function isOwnedByOther({ before, after }: { before: string; after: string }, buyer: string): boolean {
  const owner = OWNERS.findIndex((_, place) => BEFORE[place]?.test(before) || AFTER[place]?.test(after));
  return owner !== -1 && !NAMES[owner]?.test(buyer) && !/consorti/i.test(buyer);
}
