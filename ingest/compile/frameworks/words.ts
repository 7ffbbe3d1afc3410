import { matchesOf, memoise } from '../../../schema/text/memoise.ts';

/** The mentions of frameworks in a text, by whether this procurement sets one up or buys under one. */
export interface FrameworkWords {
  /** Says that it is set up: `establish a framework agreement`. */
  setsUp: Mention[];
  /** Speaks of the procurement's own: `this framework will run for four years`. */
  speaksOf: Mention[];
  /** Names it as the way of buying: `procured through the ESPO framework`. */
  buysUnder: Mention[];
}

export interface Mention {
  kind: 'framework' | 'dynamic_market';
  /** The words themselves, on one line. */
  words: string;
  /** The text before and after it in its sentence. */
  before: string;
  after: string;
}

/** In a longer text, the words that matter come before this point. */
const READ_MAX = 20_000;
const BEFORE_MAX = 140;
const AFTER_MAX = 90;
const WORDS_MAX = 70;

const SUPPLIER =
  '(?:suppliers?|providers?|contractors?|consultants?|consultancy|advis[eo]rs?|solicitors?|barristers?|counsel|lawyers?|agenc(?:y|ies)|firms?|compan(?:y|ies)|organisations?|partners?|valuers?|surveyors?|architects?|trainers?|interpreters?|translators?|vendors?|bidders?|practitioners?|installers?|traders?|tradespeople|specialists?)';
const MARKET =
  'dynamic purchasing(?: systems?| vehicles?)?|flexible purchasing (?:systems?|vehicles?)|dynamic markets?(?!\\w| (?:conditions|place|forces|environment|analysis|research))|system(?:au)? brynu ddynamig|marchnad(?:oedd)? ddynamig|DPS';
const FRAMEWORK =
  'frame-?works?(?:[- ]?(?:agreements?|contracts?|arrangements?))?|frame work (?:agreements?|contracts?)|(?:multi[- ]?supplier|enabling) agreements?|fframwaith|fframweithiau';
const PANEL = `(?:${SUPPLIER}|property|legal|services?|delivery)['’]? panel|panel of (?:\\S+ ){0,3}${SUPPLIER}`;
const LIST = `(?:approved|preferred|select|accredited|standing) (?:\\S+ )?(?:${SUPPLIER}['’]? )?list|list of (?:approved|preferred|accredited|qualified) ${SUPPLIER}|any qualified providers?|ranked list of (?:\\S+ ){0,3}${SUPPLIER}`;
const TERM = new RegExp(`\\b(?:(${MARKET})|(${FRAMEWORK})|(?:${PANEL})|(?:${LIST}))`, 'gi');
/** Part of every such term. Searching for it first takes a fraction of the time, and most texts lack it. */
const MAY_MENTION =
  /purchasing|dynamic market|ddynamig|dps|frame|ffram|supplier agreement|enabling|qualified provider|panel|list/i;
const BARE = /^frame-?works?$/i;
const PREPOSITION =
  "(?:under|underneath|via|through|from|against|using|(?<!call[- ]?)off|based (?:up)?on|direct award(?! (?:frame|dps|dynamic|and|or)\\b)|utilis\\w+|utiliz\\w+|used|use of|pursuant to|o dan|d?rwy|trwy|o['’]r)";
/** The words between a verb and the mention that it governs. */
const GAP = `((?:(?!${PREPOSITION}\\b)\\S+\\s+){0,12})$`;

const ESTABLISHES = new RegExp(
  `\\b(?:establish(?:es|ed|ing|ment of)?|set(?:s|ting)?[- ]?up|put(?:ting)? in place|procur(?:e|es|ing)|procurement of|re-?procur\\w+|re-?let(?:ting)?|renew(?:al|ing|s)?(?: (?:of|to))?|replac(?:e|es|ing)|replacement (?:of|for)|award(?:s|ed|ing)?(?: of| to)?|award notice for|appoint\\w*|consider(?:s|ing)|join(?:ing)?|admi(?:ssion|ttance|tted)|inclusion|accepted|included|seek(?:s|ing)?|enter(?:s|ing)? (?:in)?to|conclud(?:e|es|ing)|tender(?:ing)? for|provision of|open(?:ing)? of|first call for competition|initial call for competition|call for competition for|(?:notice|contract|tender|procurement) (?:is for|concerns|relates to)|appoint\\w*\\b[^.;]{0,80}?\\bto (?:its|the|our)|membership|be a member|approval onto|onto|updating)\\b[:\\s]\\s*${GAP}`,
  'i',
);
/** Verbs that go with strategies and rules as often as with lists of suppliers. */
const MAKES = new RegExp(
  `\\b(?:creat(?:e|es|ing|ion of)|develop(?:s|ing|ment of)?|form(?:s|ing)?|introduc(?:e|es|ing)|implement\\w*|operat(?:e|es|ing)|launch\\w*|looking for|require[sd]?|provid(?:e|es|ing)|supply)\\b[:\\s]\\s*${GAP}`,
  'i',
);
const OF_SUPPLIERS = new RegExp(`\\b(?:${SUPPLIER}|suppl\\w+|provision|procure|purchas\\w+|lots?|call)\\b`, 'i');
/** A framework's own name may be long. In `under the Regulations to establish a framework`, what follows `to` is not governed. */
const UNDER = new RegExp(`\\b${PREPOSITION}\\s+((?:(?!(?:${PREPOSITION}|to)\\b)\\S+\\s+){0,14})$`, 'i');
/** Words that invite suppliers on an existing framework: `quotations from all providers on its DPS`. */
const INVITES = new RegExp(
  `\\b(?:invit\\w+|among(?:st)?|(?:limited|only (?:available|open)|(?:available|open) only) to|one of|only|(?:quotations?|quotes|bids|tenders) from)\\s+(?:\\S+\\s+){0,3}(?:members|${SUPPLIER})\\s+(?:\\(\\S+\\)\\s+)?(?:on|of|from|within|(?:admitted|appointed|awarded) (?:(?:on)?to|on))\\s+((?:\\S+\\s+){0,9})$`,
  'i',
);
/** Words for what will happen under a framework once there is one. */
const LATER = /\b(?:will|may|can|shall|could|would)\b/i;
/** Also words of custom: what is `usually commissioned via a framework` is not for that reason bought so this time. */
const NOT =
  /\b(?:cannot|can't|not|unable|outside|rather than|instead of|other than|without)(?:\s+\S+){0,7}\s*$|\b(?:usually|normally|ordinarily|typically)(?:\s+\w+){1,5}\s*$/i;
const BUYS =
  /procur|award|appoint|tender|call|compet|purchas|sourc|\blet\b|commission|contract|order|select|b[ou][uy]|conduct|utili|direct|permit|made/i;
/** Adjectives of frameworks that are a method or a set of rules, not a list of suppliers. */
const OTHER_BEFORE =
  /(?:^|[\s(])(?:(?<!\b(?:fire|asbestos|legionella|lift|alarm|cctv|telecare|noise|air quality|water quality|condition|tree|vehicle|boiler|playground)(?: risk| safety)? )(?:assessment|inspection|monitoring)|competenc\w+|performance management|evaluation|evaluative|strategic|strategy|planning|urban design|messaging|spatial|polic\w+|legal|regulat\w+|legislative|statutory|governance|outcomes?|assurance|quality|performance|risk(?: management)?|ethic\w+|capabilit\w+|career|qualifications?|curriculum|conceptual|theoretical|analytical|logical|maturity|accountability|intervention|reporting|safeguarding|behavioural|measurement|decision[- ]making|operating|standards|competence|ENT|prioritisation|resilience|impact|learning outcomes|(?:teaching|research) excellence|knowledge (?:and|&) skills|economic|levelling up|climate(?: change)? adaptation|windsor|data sharing|pay|zachman|togaf|(?:automated|unit|software) test(?:ing)?|test(?:ing)? automation|\.net|java|javascript|django|laravel|react|angular)\s+$/i;
const OTHER_AFTER =
  /^\s*(?:and standards|of (?:actions?|principles)|for (?:change|action|success|excellence|growth|recovery|understanding|measuring|assessing|evaluating|the early years|sustainable)|to (?:help|guide|measure|assess|evaluate|understand|inform)|including metrics|steel|provided by|management (?:platform|database)|database|directives?|convention|travel plans?|managers?|officers?|co-?ordinators?|master ?plan|housing association|knitters|programme evaluation|licen[cs]es?|plan(?! of| for the (?:supply|provision))|(?:development|implementation|review|website|upgrade|certification)(?=\s*(?:$|[:(–-]))|llp|limited(?=\s*(?:$|[,.;:)])))\b/i;
const DENIED_BEFORE =
  /\b(?:not|never|nor|no longer)\s+(?:\S+\s+){0,7}$|\boutside(?: of)?\s+(?:\S+\s+){0,4}$|\bnon[- ]$|\b(?:(?:is|was|are|were)n['’]t(?: an?)?|no|without an?)\s+$/i;
/** `Award a contract … or conclude a framework agreement`: words of the law, in notices under the Provider Selection Regime. */
const EITHER = /\bcontracts?\b[^.;]{0,60}\bor (?:to )?conclud\w+ an?\s+$/i;
/** Words for a former or future framework, under which this procurement does not buy. */
const ANOTHER_TIME =
  /\b(?:previously|formerly|historically|(?:while|whilst|until|pending) (?:an?|the))\s+(?:\S+\s+){0,6}$|\b(?:current|existing|previous|last|outgoing) (?:\S+ ){0,3}(?:contract|service|arrangement)s? (?:was|were|is|are|has been|had been)\s+(?:\S+\s+){0,6}$|\b(?:abandon|discontinu)\w*:?\s+(?:\S+\s+){0,5}$|\bwhether (?:to )?(?:\S+\s+){0,5}$|\b(?:prior to|before|ahead of) (?:the )?(?:start|launch|commencement|introduction) of (?:\S+\s+){0,9}\(?$/i;
const DENIED_AFTER =
  /^\s*[:?]\s*(?:no|n\/a|not applicable)\b|^\s*(?:will|would|shall|is|has|was)(?: not|n['’]t) (?:be |been |being )?(?:established|set up|put in place|created|concluded|proposed|envisaged|anticipated)(?=\s*(?:[.,:)]|$)|\s+(?:(?:at|for|in|on) this|and|as|but|so|because)\b)|^\s+with (?:an?|one) (?:single |sole |new )?(?:contract|supplier|provider)|^[^.]{0,30}\babandoned\b/i;
const WRITTEN_ABOUT =
  /\b(?:advice|advis(?:e|ing)|study|studies|report|review|research|evaluation|audit|survey)\s+(?:on|of|into|about)\s+(?:\S+\s+){0,6}$/i;
/** `Framework agreement management software`, `DPS Ltd`: whatever it is called in full. */
const OTHER_USE = /^\s+(?:(?:management )?software|management (?:systems?|tools?)|ltd|plc)\b/i;
/** `A suitably qualified Framework Partner`: a supplier on a framework, not the framework. */
const ONE_ON_IT = /^\s+(?:consultan(?:t|cy)|partner)\b/i;
const A_SINGLE = /\ban?\s+(?:\S+\s+){0,4}$/i;
const MATERIAL = /\b(?:timber|oak|wooden|steel|metal|aluminium|concrete|glass)\s+$/i;
const OF_A_BUILDING =
  /^\s*(?:(?:for|of|to) the (?!supply|provision|purchase|delivery)|(?:and \w+ )?repairs?\b|(?:erection|installation|fabrication|warehouse|building|shed)\b|\.?$)/i;
/** `Review of the roofing framework`. In `Design and Build Framework` it is the work of those on it. */
const THINKS_OUT =
  /(?<!\b(?:software|web|website|app) )\b(?:develop(?:ment|ing)?|review(?:ing)?|evaluat\w+|design(?:ing)?|research\w*|writing|drafting|refresh\w*)\s+(?:(?:(?:of|for|on|into|an?|the|our|its|new)\s+){1,3}(?:\S+\s+){0,3}|(?:(?!(?:services?|consultan\w+|works|maintenance|support|partners?|teams?|builds?|fit[- ]?out|contracts?|agenc\w+|install\w+|suppl\w+)\b)\S+\s+){0,3})$/i;
const FORMER = /\b(?:existing|current|previous|former|expir\w+|outgoing|old)\b|\b(?:range|variety|suite) of\b/i;
const DEFINITE = /\b(?:the|this|that|said|our|their|its|your|his)\b/i;
const ITS_OWN =
  /^\s*(?:\([^)]{0,40}\)\s*)?(?:(?:will|shall)\b|is (?:for|open|split|divided|available|intended|primarily|designed|to|being|an?|\d+|two|three|four|five)\b|has (?:been (?:awarded|established|set)|now|the option)\b|(?:duration|term)\b|(?:consists?|comprises?|covers?|runs?|commences?|offers?|scope|users?)\b|may (?:be|run|open)\b)/i;

/** The mentions of frameworks in a text of a notice, in order. */
export function readFrameworkWords(text: string): FrameworkWords {
  const found: FrameworkWords = { setsUp: [], speaksOf: [], buysUnder: [] };
  for (const mention of mentionsIn(text)) {
    if (isAnotherThing(mention)) continue;
    if (setsUp(mention)) found.setsUp.push(mention);
    else if (buysUnder(mention)) found.buysUnder.push(mention);
    else if (speaksOf(mention)) found.speaksOf.push(mention);
  }
  return found;
}

/** Frameworks, markets, panels and lists of suppliers that a text mentions in any way. */
export const mentionsIn = memoise((text): readonly Mention[] => {
  if (!MAY_MENTION.test(text) || text.search(TERM) === -1) return [];
  const sentences = text.slice(0, READ_MAX).split(/(?<=[.;!?])\s+|\n+|\*{2,}/);
  return sentences.flatMap((sentence) =>
    matchesOf(sentence, TERM).flatMap((match) => {
      const [words, market] = match;
      if (words === 'dps') return [];
      const kind = market ? ('dynamic_market' as const) : ('framework' as const);
      const end = match.index + words.length;
      const before = sentence.slice(Math.max(0, match.index - BEFORE_MAX), match.index);
      return [{ kind, words, before, after: sentence.slice(end, end + AFTER_MAX) }];
    }),
  );
});

/**
 * Whether a mention is not a list of suppliers (`evaluation framework`, `framework for change`), or is denied or only
 * discussed.
 */
export function isAnotherThing({ words, before, after }: Mention): boolean {
  const isDenied = DENIED_BEFORE.test(before) || DENIED_AFTER.test(after);
  if (isDenied || EITHER.test(before) || ANOTHER_TIME.test(before) || WRITTEN_ABOUT.test(before)) return true;
  if (OTHER_USE.test(after)) return true;
  if (!BARE.test(words)) return false;
  if (MATERIAL.test(before) && OF_A_BUILDING.test(after)) return true;
  if (A_SINGLE.test(before) && ONE_ON_IT.test(after)) return true;
  if (OTHER_BEFORE.test(before) || OTHER_AFTER.test(after)) return true;
  return THINKS_OUT.test(before) && !OF_SUPPLIERS.test(after);
}

/** The words between a preposition such as `under` and a mention; null if no preposition governs it. */
export function governedBy({ before }: Mention): { preposition: string; phrase: string } | null {
  const match = UNDER.exec(before);
  if (!match || NOT.test(before.slice(0, match.index))) return null;
  return { preposition: match[0].split(/\s/)[0]?.toLowerCase() ?? '', phrase: match[1]?.trim() ?? '' };
}

/** The mention with a few words before it, as evidence. */
export function quote({ before, words }: Mention): string {
  const lead = before.trim().split(/\s+/).slice(-5).join(' ');
  return `${lead} ${words}`.replace(/\s+/g, ' ').trim().slice(-WORDS_MAX).trim();
}

/** `Under ESPO Framework 319, to the only supplier appointed to that framework`: what was said of it before decides. */
const MENTIONED = /\b(?:that|said)\s+$/i;

function setsUp(mention: Mention): boolean {
  const { before, after, words } = mention;
  if (governedBy(mention) || isUsed(mention) || MENTIONED.test(before)) return false;
  // `The current framework expires in March, and this procurement will replace it.`
  if (FORMER.test(before) && /\breplac\w+ (?:it|this|them)\b/i.test(after)) return true;
  if (ESTABLISHES.test(before))
    return !FORMER.test(before) || /\b(?:re-?new|re-?plac|re-?let|re-?procur)/i.test(before);
  return MAKES.test(before) && !FORMER.test(before) && (!BARE.test(words) || OF_SUPPLIERS.test(after));
}

/**
 * Whether a mention is a framework that has a name or number or exists already. `under the framework` may be this
 * procurement's.
 */
function buysUnder(mention: Mention): boolean {
  const governed = governedBy(mention);
  if (!governed) return isUsed(mention);
  const { before, after, words } = mention;
  const { preposition, phrase } = governed;
  if (BARE.test(words) && !BUYS.test(before)) return false;
  if (/^any\b/i.test(phrase)) return false;
  if (phrase === '' || FORMER.test(phrase) || /\bfollowing\b/i.test(phrase)) return true;
  if (/^\s*(?:\S+\s+){0,2}\(?[A-Z]{1,4}[-/ ]?\d{3,}/.test(after)) return true;
  if (/^(?:from|off)$/.test(preposition) && /^(?:its|it['’]s|our|their)\b/i.test(phrase)) return true;
  if (/^an?$/i.test(phrase)) return /^(?:from|off|via|against)$/.test(preposition);
  return NAMED.test(phrase);
}

/** `ESPO Framework 628 was used`, `following DPS competition`, `on the terms set out in the Minor Works Framework Agreement`. */
const TERMS_OF = /\b(?:set out|specified|described|detailed) (?:in|by|within) ((?:\S+\s+){0,8})$/i;
const COMPETED_FOR = /\b(?:following|after|result of) (?:(?:an?|the) )?(?:\S+\s+){0,3}$/i;
const COMPETITION = /^\s+(?:mini[- ]?|further )?(?:competition|call[- ]?off)\b/i;
const WAS_USED = /^[^.]{0,80}\b(?:was|were|has been|is being) (?:utili[sz]ed|used)\b/i;

/** Whether a mention without a preposition such as `under` means a framework that exists already. */
function isUsed({ before, after, words }: Mention): boolean {
  const [, phrase = ''] = INVITES.exec(before) ?? [];
  if (/\b(?:the|its|our|their)\b|['’]s\b/i.test(phrase) || NAMED.test(phrase)) return true;
  if (!BARE.test(words) && NAMED.test(TERMS_OF.exec(before)?.[1] ?? '')) return true;
  return WAS_USED.test(after) || (COMPETITION.test(after) && COMPETED_FOR.test(before));
}

/** A number, or a capitalised word that does not begin a sentence. */
const NAMED =
  /(?:^|\s)(?!(?:The|An?|This|Our|Its|New|Lots?|Council|Authority|Trust|Agreement|Multi\S*|National|Regional)\b)[A-Z][\w&.’'-]+|\d{3,}/;

/** `An open framework`, `a multi-supplier framework over four years`. */
const KIND_OF_ONE =
  /(?:\ban?\s+|^\W*)(?:(?:new|open|closed|ranked|unranked|national|regional|collaborative|(?:multi|single|sole|two|three|four|five)[- ]?\S+)\s+)+$/i;

/** Whether the text begins with the mention: `Framework with 14 providers.`, `Framework for the repair of roads.` */
function isFirst({ before, after }: Mention): boolean {
  return /^\W*(?:an?\s+)?$/i.test(before) && /^\s+(?:with|for)\s/i.test(after);
}

/** `This will be a four-year framework agreement.` */
const IS_ONE =
  /\b(?:this|it|which|agreement|arrangement) (?:will be|shall be|is) an? (?:(?!contract|call|order|award|for\b)\S+\s+){0,5}$/i;

function speaksOf(mention: Mention): boolean {
  const { words, before, after } = mention;
  if (FORMER.test(before)) return false;
  const governed = governedBy(mention);
  // `Contractors will compete for each project under the framework.`
  if (governed) return /^th(?:e|is)$/i.test(governed.phrase) && LATER.test(before);
  if (UNDER.test(before)) return false;
  if (ITS_OWN.test(after) || /qualified/i.test(words)) return true;
  if (BARE.test(words)) return KIND_OF_ONE.test(before) || isFirst(mention);
  if (words === 'DPS') return A_SINGLE.test(before) || isFirst(mention);
  if (IS_ONE.test(before)) return true;
  const near = before.trim().split(/\s+/).slice(-6).join(' ');
  return !DEFINITE.test(near);
}

const COMPETES =
  /\b(?:this|following|conducted|seeking|result of|invited|ran|held|undertook|undertaken|issued|completed)\s+(?:(?:is|was|an?|the|its)\s+){0,2}(?:mini|further)[- ]?competition\b|(?:mini|further)[- ]?competition (?:\w+ )?(?:was|were|has been|have been|is being) (?:\w+ )?(?:undertaken|conducted|run|held|carried out|completed|issued|used)\b|^(?:mini|further)[- ]?competition\b(?! (?:was considered|may|will|would|could|can|(?:and|or|&) direct|among))|(?:^|[:.]\s?)(?:this (?:contract|award|notice) is an? )?call(?:ing)?[- ]?off (?:contract )?(?:from|under|against)\b|\bcall[- ]?off from lots?\b/gim;
const MAY_COMPETE = /competition|call(?:ing)?[- ]?off/i;
/** Words before something that has not happened yet. */
const TO_COME = /\b(?:will|may|can|could|would|shall|to) be\b[^.]*$/i;

/** Whether a text says that suppliers already on a framework competed or are invited to. */
export function competes(text: string): boolean {
  if (!MAY_COMPETE.test(text)) return false;
  return matchesOf(text, COMPETES).some(({ index }) => !TO_COME.test(text.slice(Math.max(0, index - 100), index)));
}

/** In `Document Print Server (DPS)` the letters stand for something else. */
export function isAnotherDps(texts: readonly string[]): boolean {
  return texts.some((text) => /\w \w+ \(DPS\)/.test(text)) && !texts.some((text) => /purchas|framework/i.test(text));
}
