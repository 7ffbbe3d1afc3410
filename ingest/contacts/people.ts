import { memoise } from '../../schema/text/memoise.ts';
import { decodeEntities, foldKey } from '../fields/text/fold.ts';

/** Names of contact points that are not people: a desk, a job, an organisation or a place. */
const NOT_A_PERSON = new Set(
  `academy accounts admin administration administrator advisor agency agreement agreements and applicable architects
  assistant associates association authority bid bids board borough business buyer buyers buying care category central
  centre chief church city civil client college commercial commissioning community company construction
  consultant consultants consulting contact contracting contracts contract coordinator corporate council county crown
  customer customers data defence delivery department desk development digital director district division east
  education electronic energy engineer engineering enquiries enquiry enterprise environment environmental estate estates
  executive facilities finance fire for framework frameworks fund general global government group head health helpdesk
  highways home hospital house housing hub human inbox information infrastructure innovation international
  ict joint land lead learning legal library limited llp local london ltd mailbox maintenance manager
  management marketing medical ministry municipal museum national network new nhs north northern not of office officer
  operations organisation park parish partner partners partnership pension person planning plc police portal principal
  procurement product professional programme project projects property protection public purchase purchasing quality
  regional registry relations research resources responsible road royal safety sales school science secretary section
  sector security senior service services shared social society solicitors solutions sourcing south southern specialist
  sport standard state strategic strategy street supplier suppliers supplies supply support sustainability systems team
  technical technology tender tendering tenders the town trading training transformation transport travel trust uk unit
  university waste water west western works young youth`.split(/\s+/),
);
/** Surnames among those words: they name a person where a title or the mail address says so. */
const ALSO_SURNAMES = new Set(
  'chief church east head house land london north park partner purchase road south street west young'.split(' '),
);
const NO_NAME = new Set(
  'see please via refer unknown none not tbc tba as per above below online website email e-mail n/a na no name the to in by all any on'.split(
    ' ',
  ),
);
const TITLES = 'mr mrs miss ms mx dr prof professor sir dame rev cllr'.split(' ');
const TITLE = new RegExp(`^(?:(?:${TITLES.join('|')})\\b\\.?\\s*)+`, 'i');
const AFTER_NAME = /\s+(?:MCIPS|FCIPS|MRICS|FRICS|CIPS|PhD|MSc|BSc|BA|MA|MBA|OBE|MBE|CBE|JP|CEng)$/i;
const PARTICLES = new Set(
  'de da di del della der den do dos das du van von la le el al bin ibn ben ap st ter ten af av zu'.split(' '),
);
const WORD = /^\p{L}[\p{L}\p{M}'’‘.-]*$/u;
const NAME_MOST = 60;
/** Ordinary words that are also names: they count as a name only where they are written like one. */
const ORDINARY = new Set(
  `abbot april art ash august baker banks bar barber bell berry best bill bird bishop black bliss bloom bond book booth bow
  bowler brand bridge bright brook brooks brown buck bull bush butcher butler can carpenter carter case cash chamber chance
  chancellor chase church clark clay clerk cliff coach cole cook cooper cotton couch court cox crane cross crow crown dale
  dance dawn day deal dean dear dock dove drake draper drew driver duke earl early east faith farmer fern field fields finch
  fisher fleet flood flower flowers foot ford foreman forest foster fox frank freeman frost gale garden gardener gates gene
  glass glen gold good grace grant gray green grey ground grove guy hall hand hands hardy harper hart hay hazel head heath
  heather held hill hills holder holly holt home honey hood hook hope horn house hunt hunter iris ivy jack jay joy judge june
  just keen key keys king knight lake lamb lance land lane law leader little lock long love mace major march mark marks marsh
  martin mason max may mead meadows mercer merit mile miles mill miller mills mine minor money moor moore moss mount nail new
  noble north nurse oak olive page painter park parish parker parsons partridge pat patience pearl penny perry piper pitt plant
  plumber pole pond pool poole pope porter post potter pound power powers price priest prince prior prudence purchase quick
  rain ray read reader reed rich rise river rivers rob robin rock roman root rose rowan ruby rush ryder sage sales salt sands
  savage sawyer school seal sellers shall sharp sheppard shepherd shore short silver singer skill skip slack smart smith snow
  sparks speed spring stamp stand star steel stock stocks stone street strong sue summer summers swift tailor tank taylor
  temple terry tiger tiller trip turner underwood vale victor violet wade wake walker wall ward warden warner waters weaver
  webb wells west wheeler white wild will winter winters wise wish wolf wood woods worth wright yard young`.split(
    /\s+/,
  ),
);

/** A person as texts may name them: folded words. */
export interface Person {
  given: string[];
  surname: string[];
  /** Whether every word of the name is also an ordinary word: `Will Grant`. */
  isOrdinary: boolean;
}

/** The people in the name of a contact point, without titles, jobs and organisations; none where none is certain. */
export function readPeople(name: string, email: string | null = null): readonly Person[] {
  return name.length > 4 * NAME_MOST ? [] : readKnown(JSON.stringify([name, email?.slice(0, 4 * NAME_MOST)]));
}

const readKnown = memoise((said): readonly Person[] => {
  const [name, email = null] = JSON.parse(said) as [string, string?];
  const plain = decodeEntities(name).replace(/\([^)]*\)/g, ' ');
  return plain.split(/\bt\/a\b|\/|;|&|\+|\n|\band\b|\bor\b/i).flatMap((part) => readPart(part, email) ?? []);
});

function readPart(text: string, email: string | null): Person | null {
  const [first = '', second = ''] = text.split(/,| [-–] /).map((part) => part.trim().replace(/\s+/g, ' '));
  const isSwapped =
    second !== '' && text.includes(',') && isOneSurname(first) && !isJob(second) && second.split(' ').length <= 2;
  const whole = isSwapped ? `${second} ${first}` : first;
  const bare = whole.replace(TITLE, '').replace(AFTER_NAME, '').replace(/\d+$/, '').replace(/ -|- /g, '-').trim();
  const words = bare.split(' ');
  if (bare.length > NAME_MOST || words.length < 2 || words.length > 5 || !words.every((word) => WORD.test(word)))
    return null;
  return isPerson(words, whole !== bare && TITLE.test(whole), email) ? splitName(words) : null;
}

function isOneSurname(text: string): boolean {
  const words = text.split(' ');
  return words.slice(0, -1).every((word) => PARTICLES.has(word.toLowerCase()));
}

function isJob(text: string): boolean {
  return text.split(/[ .'’-]+/).some((word) => NOT_A_PERSON.has(word.toLowerCase()));
}

function isPerson(words: readonly string[], isTitled: boolean, email: string | null): boolean {
  const small = words.map((word) => word.toLowerCase());
  const parts = small.flatMap((word) => word.split(/[.'’-]+/)).filter(Boolean);
  const jobs = parts.filter((word) => NOT_A_PERSON.has(word));
  const last = parts.at(-1) ?? '';
  if (jobs.length > 0 && (jobs.length > 1 || jobs[0] !== last)) return false;
  if (jobs.length > 0 && !isTitled && !(ALSO_SURNAMES.has(last) && isNamedInEmail(small, email))) return false;
  if (small.some((word) => NO_NAME.has(word))) return false;
  const named = words.filter((word) => !PARTICLES.has(word.toLowerCase()));
  const areCapital = named.every((word) => /^\p{Lu}/u.test(word) || !/^\p{Ll}/u.test(word));
  return areCapital || isTitled || words.length === 2 || isNamedInEmail(small, email);
}

function isNamedInEmail(words: readonly string[], email: string | null): boolean {
  const local = foldKey(email ?? '').split('@')[0] ?? '';
  const [first = '', last = ''] = [words[0], words.at(-1)].map((word) => foldKey(word ?? ''));
  return last.length > 2 && local.includes(last) && (local.includes(first) || local.startsWith(first.slice(0, 1)));
}

/** The words of a name that is known to be a person's; null where its surname has fewer than two letters. */
function splitName(words: readonly string[]): Person | null {
  const particle = words.findIndex((word, at) => at > 0 && at < words.length - 1 && PARTICLES.has(word.toLowerCase()));
  const at = particle > 0 ? particle : words.length - 1;
  const [given, surname] = [words.slice(0, at), words.slice(at)].map((some) => some.flatMap(foldWords)) as [
    string[],
    string[],
  ];
  const longest = Math.max(...surname.map((word) => word.length), 0);
  if (given.length === 0 || longest < 2) return null;
  return {
    given,
    surname,
    isOrdinary: [given[0] ?? '', ...surname].every((word) => word.length < 3 || ORDINARY.has(word)),
  };
}

/** The folded words of a text, separated at everything that is not a letter or digit. */
export function foldWords(text: string): string[] {
  return foldKey(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a folded word is a title such as `dr` or `mrs`. */
export function isTitle(word: string): boolean {
  return TITLES.includes(word);
}
