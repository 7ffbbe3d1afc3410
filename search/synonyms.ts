/**
 * What British procurement says in more than one way: each line is a group, any of which stands for any other.
 * Few and sure ones only: a synonym that is merely near would bury what was asked for. Each group says what kind of source it is from.
 */
const GROUPS = [
  // Cabinet Office and Crown Commercial Service glossaries of procurement.
  'tender, itt, invitation to tender',
  'rfp, request for proposal',
  'rfq, request for quotation, request for quote',
  'pqq, pre qualification questionnaire',
  'sq, selection questionnaire',
  'sme, small and medium sized enterprise, small and medium enterprise',
  'vcse, voluntary community and social enterprise',
  // Procurement Act 2023 and the regulations before it.
  'dps, dynamic purchasing system, dynamic market',
  'psq, procurement specific questionnaire',
  // Titles of the CPV (Regulation 213/2008), which has one entry for both wordings or the abbreviation beside the words.
  'cctv, closed circuit television',
  'ct, computed tomography',
  'mri, magnetic resonance imaging',
  'it, ict, information technology, information and communication technology, information and communications technology',
  'crm, customer relationship management',
  'erp, enterprise resource planning',
  'pv, photovoltaic',
  'ev, electric vehicle',
  'av, audio visual, audiovisual',
  'ppe, personal protective equipment',
  'refuse, waste, rubbish',
  'lift, elevator',
  'school meal, school catering',
  'temporary staff, agency staff, agency worker, temporary worker',
  'workwear, occupational clothing',
  'streetlight, street light, street lighting, streetlighting',
  'quantity surveyor, quantity surveying',
  // Professional bodies of buildings and estates.
  'fm, facilities management, facility management',
  'm e, mechanical and electrical',
  'hvac, heating ventilation and air conditioning',
  'qs, quantity surveyor',
  // NHS data dictionary.
  'gp, general practitioner, general practice',
  'nhs, national health service',
  'aed, automated external defibrillator, defibrillator',
  'domiciliary care, home care, homecare',
  // Vehicle licensing.
  'hgv, heavy goods vehicle, lgv, large goods vehicle',
  'footway, pavement',
  // Code of practice for special educational needs.
  'sen, special educational need',
  'hr, human resource',
  'mfd, multi functional device, multifunctional device',
  // Names of departments in the government's list of organisations.
  'mod, ministry of defence',
  'moj, ministry of justice',
  'dfe, department for education',
  'dft, department for transport',
  'dwp, department for work and pensions',
  'dhsc, department of health and social care',
  'defra, department for environment food and rural affairs',
  'hmrc, hm revenue and customs',
];

/** Groups of wordings, each wording as its words. */
export const SYNONYMS: readonly (readonly string[][])[] = GROUPS.map((group) =>
  group.split(', ').map((wording) => wording.split(' ')),
);

/** The groups as Meilisearch is told of them: each wording, and its plural, with all that stand for it. */
export function synonymTable(): Record<string, string[]> {
  return Object.fromEntries(
    SYNONYMS.flat().flatMap((wording) => {
      const others = othersOf(wording).flatMap((other) => withPlural(other.join(' ')));
      return withPlural(wording.join(' ')).map((text) => [text, others]);
    }),
  );
}

/** Meilisearch has no stems: it is told both numbers of a wording that ends in a countable noun. */
function withPlural(text: string): string[] {
  return /(?:vehicle|meal|worker|need|device|surveyor|practitioner|defibrillator|lift|elevator|pavement|footway|request for \w+)$/.test(
    text,
  )
    ? [text, `${text}s`]
    : [text];
}

/** Words of a query that are said otherwise too. */
export interface Synonym {
  words: string[];
  others: string[][];
}

const BY_WORDING = indexWordings();
const LONGEST = Math.max(...SYNONYMS.flat().map((wording) => wording.length));

/** The wordings in a text that have synonyms, longest first where they overlap; singular and plural are one. */
export function findSynonyms(words: readonly string[]): Synonym[] {
  const found: Synonym[] = [];
  for (let at = 0; at < words.length; ) {
    const here = longestAt(words, at);
    if (here) found.push(here);
    at += here?.words.length ?? 1;
  }
  return found;
}

function othersOf(wording: readonly string[]): string[][] {
  return BY_WORDING.get(keyOf(wording)) ?? [];
}

function longestAt(words: readonly string[], at: number): Synonym | null {
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    const wording = words.slice(at, at + length);
    const others = othersOf(wording);
    if (others.length > 0) return { words: wording, others };
  }
  return null;
}

/** Each wording to all that stand for it. A wording of two groups stands for both. */
function indexWordings(): Map<string, string[][]> {
  const index = new Map<string, string[][]>();
  for (const group of SYNONYMS) {
    for (const wording of group) {
      const others = group.filter((other) => other !== wording);
      index.set(keyOf(wording), [...(index.get(keyOf(wording)) ?? []), ...others]);
    }
  }
  return index;
}

function keyOf(words: readonly string[]): string {
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)).join(' ');
}
