import bodies from '../../schema/reference/public-bodies.json' with { type: 'json' };
import { STOP_WORDS, spellingsOf, splitWords } from './pieces.ts';

/**
 * What British procurement says in more than one way: each line is a group, and its terms are interchangeable. Few and certain
 * ones only: a loose synonym would bury what was requested (AED is left out: its stem is "a"). Where a group was looked up, the
 * source is named.
 */
const GROUPS = [
  // South Tyneside Council, common terms and phrases; Northumbria Healthcare, tender guides; Crown Commercial Service, glossary.
  'tender, itt, invitation to tender',
  'rfq, request for quotation, request for quote',
  'rfp, request for proposal',
  'sq, selection questionnaire',
  // Jargon buster of the Welsh councils' supplier guide.
  'pqq, pre qualification questionnaire',
  // Government Commercial Agency, glossary: dynamic markets replace dynamic purchasing systems. Government Commercial Function, templates.
  'dps, dynamic purchasing system, dynamic market',
  'psq, procurement specific questionnaire',
  // Registers of Scotland, procurement definitions and abbreviations; Defence Committee, list of abbreviations.
  'sme, small and medium sized enterprise, small and medium enterprise, small or medium enterprise',
  'it, ict, information technology, information and communication technology, information and communications technology',
  // Titles of the CPV (Regulation 213/2008). One entry has both wordings, or two entries are next to each other: 92222000,
  // 90500000, 55523100 and 55524000, 79620000, 18100000, 34928500 and 50232100, 71324000, 32320000, 09331200.
  'cctv, closed circuit television',
  'refuse, waste, rubbish',
  'school meal, school catering',
  'temporary staff, agency staff, agency worker, temporary worker',
  'workwear, occupational clothing',
  'streetlight, street light, street lighting, streetlighting',
  'qs, quantity surveyor, quantity surveying',
  'av, audio visual, audiovisual',
  'pv, photovoltaic',
  // Royal College of General Practitioners, curriculum: what a GP is.
  'gp, general practitioner, general practice',
  // Care and Support Statutory Guidance, annex J: also known as home care.
  'domiciliary care, home care, homecare',
  // Fleet glossaries: the European name for the same. LGV is left out, as it also means light goods vehicles.
  'hgv, heavy goods vehicle, large goods vehicle',
  // Highways Act 1980, section 66, and the common word for a pavement.
  'footway, pavement',
  // Lists of acronyms: dxw, of the public sector; Defence Committee.
  'mod, ministry of defence',
  'dfe, department for education',
  'dft, department for transport',
  'dwp, department for work and pensions',
  'defra, department for environment food and rural affairs',
  'hmrc, hm revenue and customs',
  // Common abbreviations and words, without a source.
  'moj, ministry of justice',
  'dhsc, department of health and social care',
  'nhs, national health service',
  'vcse, voluntary community and social enterprise',
  'fm, facilities management, facility management',
  'm e, mechanical and electrical',
  'hvac, heating ventilation and air conditioning',
  'ppe, personal protective equipment',
  'ct, computed tomography',
  'mri, magnetic resonance imaging',
  'crm, customer relationship management',
  'erp, enterprise resource planning',
  'ev, electric vehicle',
  'hr, human resource',
  'sen, special educational need',
  'mfd, multi functional device, multifunctional device',
  'lift, elevator',
  // How names end and begin, in full and in short.
  'limited, ltd',
  'department, dept',
  // British and American spellings, and words written as one or two.
  'licence, license',
  'programme, program',
  'centre, center',
  'adviser, advisor',
  'fibre, fiber',
  'website, web site',
  'healthcare, health care',
  'childcare, child care',
  'elearning, e learning',
  'cybersecurity, cyber security',
  'wifi, wi fi',
  'minibus, mini bus',
];

/**
 * These terms lead to the others of their group, but not the reverse. In a text they mostly mean something else: the
 * pronoun, the surface of a road.
 */
const ASKED_ONLY = new Set(['it', 'pavement']);

/** A noun that notices write with either letter. */
const ISATION = /^(\p{L}{4,}i)([sz])(ations?)$/u;

/** Groups of wordings, each wording as its words. */
const SYNONYMS: readonly (readonly string[][])[] = GROUPS.map((group) =>
  group.split(', ').map((wording) => wording.split(' ')),
);

/** `MaPS` is left out: searched maps are mostly of places. */
const SHORT_NAME = /^(?!MaPS$)[A-Za-z&\d]{2,9}$/;

/**
 * The short names of listed public bodies with their other names. They lead to those, but not the reverse: in a text the same
 * letters may mean something else.
 */
const SHORT_NAMES: readonly (readonly [short: string[], names: string[][]])[] = readShortNames();

function readShortNames(): [string[], string[][]][] {
  const { source: _, parts: __, central: ___, ...areas } = bodies;
  return Object.values(areas)
    .flat()
    .flatMap((all) => {
      const [short, long] = [all.filter((name) => SHORT_NAME.test(name)), all.filter((name) => !SHORT_NAME.test(name))];
      const names = long.map((name) => splitWords(name).join(' '));
      const known = [...names, ...short.map((name) => splitWords(name).join(' '))];
      // A name that contains another is found by that one.
      const plain = names.filter((name) => !known.some((other) => other !== name && ` ${name}`.includes(` ${other}`)));
      const others = [...new Set(plain)].map((name) => name.split(' '));
      return others.length === 0 ? [] : short.map((name): [string[], string[][]] => [splitWords(name), others]);
    });
}

/** The groups for Meilisearch: each wording as it is requested, without filler words, and its plural, with its synonyms. */
export function synonymTable(): Record<string, string[]> {
  return Object.fromEntries(
    [...SHORT_NAMES.map(([short]) => short), ...SYNONYMS.flat()].flatMap((wording) => {
      const others = othersOf(wording)
        .flatMap(spellingsOf)
        .flatMap((other) => withPlural(other.join(' ')));
      const terms = wording.filter((word) => !STOP_WORDS.has(word));
      return withPlural(terms.join(' ')).map((text) => [text, others]);
    }),
  );
}

/** Meilisearch does not stem, so it gets both numbers of a wording that ends in a countable noun. */
function withPlural(text: string): string[] {
  return /(?:vehicle|meal|worker|need|device|surveyor|practitioner|lift|elevator|pavement|footway|licen[cs]e|program|programme|center|centre|advis[eo]r|web ?site|request (?:for )?(?:quotation|quote|proposal))$/.test(
    text,
  )
    ? [text, `${text}s`]
    : [text];
}

/** Words of a query with other wordings. */
export interface Synonym {
  words: string[];
  others: string[][];
}

const BY_WORDING = indexWordings();
/** By the short name as it is: without its last letter, `DCMS` or `Acas` would be another name. */
const BY_SHORT_NAME = indexShortNames();
const LONGEST = Math.max(...SYNONYMS.flat().map((wording) => wording.length));

/** The wordings in a text that have synonyms, longest first where they overlap; singular and plural are equal. */
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
  const [, root, letter, ending] = (wording.length === 1 && ISATION.exec(wording[0] ?? '')) || [];
  if (root) return [[`${root}${letter === 's' ? 'z' : 's'}${ending}`]];
  const [known, names] = [BY_WORDING.get(keyOf(wording)) ?? [], BY_SHORT_NAME.get(wording.join(' ')) ?? []];
  const texts = known.map((one) => one.join(' '));
  return [...known, ...names.filter((name) => !texts.includes(name.join(' ')))];
}

function longestAt(words: readonly string[], at: number): Synonym | null {
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    const wording = words.slice(at, at + length);
    const others = othersOf(wording);
    if (others.length > 0) return { words: wording, others };
  }
  return null;
}

/** Each wording with all its synonyms. A wording in two groups has those of both. */
function indexWordings(): Map<string, string[][]> {
  const index = new Map<string, string[][]>();
  const add = (wording: readonly string[], others: readonly string[][]) => {
    for (const key of spellingsOf(wording).map(keyOf)) {
      const known = index.get(key) ?? [];
      const texts = known.map((one) => one.join(' '));
      index.set(key, [...known, ...others.filter((other) => !texts.includes(other.join(' ')))]);
    }
  };
  for (const group of SYNONYMS) {
    for (const wording of group) {
      const others = group.filter((other) => other !== wording && !ASKED_ONLY.has(other.join(' ')));
      add(wording, others);
    }
  }
  return index;
}

function indexShortNames(): Map<string, string[][]> {
  return new Map(SHORT_NAMES.flatMap(([short, names]) => spellingsOf(short).map((one) => [one.join(' '), names])));
}

function keyOf(words: readonly string[]): string {
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)).join(' ');
}
