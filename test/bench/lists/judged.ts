/** What a person types into a list, and the name that should come first. Written from names alone, before any rule of the order. */
export interface Judged {
  list: 'buyers' | 'companies';
  query: string;
  /** The first result, in lower case; other signs than letters and digits do not count. */
  first: string;
}

const of = (list: Judged['list'], pairs: Readonly<Record<string, string>>): Judged[] =>
  Object.entries(pairs).map(([query, first]) => ({ list, query, first }));

/** Forty queries over what the services published in November 2026. */
export const JUDGED: readonly Judged[] = [
  ...of('buyers', {
    defra: 'department of environment food and rural affairs',
    leeds: 'leeds city council',
    'bristol council': 'bristol city council',
    UKRI: 'uk research innovation',
    UKHSA: 'uk health security agency',
    BEIS: 'department for business energy industrial strategy',
    FCA: 'financial conduct authority',
    merton: 'london borough of merton',
    'doncaster council': 'city of doncaster council',
    MCA: 'mca maritime and coastguard agency',
    dstl: 'defence science and technology laboratory',
    'kent county': 'kent county council',
    'NHS england': 'nhs england',
    AHDB: 'agriculture and horticulture development board ahdb',
    'royal free': 'royal free london nhs foundation trust',
    'wolverhampton uni': 'university of wolverhampton',
    mopac: 'mayor s office for policing and crime',
    'north yorkshire': 'the north yorkshire council',
    'bank of eng': 'bank of england',
    'national archives': 'the national archives',
    knowsley: 'knowsley council',
    CNPA: 'civil nuclear police authority cnpa civil nuclear constabulary cnc',
    'food standards': 'food standards agency',
    NHSBT: 'nhs blood and transplant',
  }),
  ...of('companies', {
    'ernst young': 'ernst young llp',
    softcat: 'softcat limited',
    kpmg: 'kpmg llp',
    deloitte: 'deloitte llp',
    serco: 'serco ltd',
    'turner townsend': 'turner townsend consulting limited',
    mcalpine: 'sir robert mcalpine ltd',
    'frazer nash': 'frazer nash consultancy ltd',
    armitt: 'frank armitt and son ltd',
    'cyclops elec': 'cyclops electronics ltd',
    tarmac: 'tarmac trading ltd',
    'age uk barnsley': 'age uk barnsley',
    'obrien waste': 'o brien waste recycling solutions ltd',
    unipart: 'unipart logistics limited',
    'PA consulting': 'pa consulting services ltd',
    arcadis: 'arcadis uk limited',
  }),
];

const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Whether a list begins with what was expected. */
export function isFirst({ first }: Judged, names: readonly string[]): boolean {
  return plain(names[0] ?? '') === first;
}
