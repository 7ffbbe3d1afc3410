import type { Judged } from './documents.ts';
import { gradeBy, type JudgedQuery, PER_KIND } from './grades.ts';
import { choose, type Draw, misspell, numberOf, plain, tells, wordsOf } from './words.ts';

/** Digits of a CPV code that name its class. */
const CLASS_DIGITS = 4;
const KIND_OF_BUYER =
  /\b(?:the|council|limited|ltd|llp|plc|trust|nhs|foundation|authority|of|and|city|county|borough|district)\b/g;

/** What is bought, by whom and from whom, asked in words and in codes. */
export function subjectQueries(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  return [
    ...cpvWords(judged, draw),
    ...codes(judged, draw),
    ...buyers(judged, draw),
    ...buyersAndSubjects(judged, draw),
    ...suppliers(judged, draw),
    ...identifiers(judged, draw),
    ...descriptions(judged, draw),
  ];
}

function cpvWords(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const names = [...new Map(judged.flatMap(({ cpvNames }) => Object.entries(cpvNames))).entries()].filter(
    ([, name]) => wordsOf(name).filter(tells).length >= 1,
  );
  const asked = choose(names, 2 * PER_KIND, draw, ([code]) => code).map(([code, name], index) => {
    const words = wordsOf(name);
    const slip = words.filter((word) => tells(word) && word.length >= 6)[0];
    const misspelt = index % 2 === 1 && slip !== undefined;
    return {
      kind: misspelt ? 'CPV description, misspelt' : 'CPV description',
      text: words.map((word) => (misspelt && word === slip ? misspell(word) : word)).join(' '),
      grades: gradeCode(judged, code),
    };
  });
  return asked;
}

/** The code first of all is what was asked for; among others it is near; the same class is a little. */
function gradeCode(judged: readonly Judged[], code: string) {
  const sameClass = code.slice(0, CLASS_DIGITS);
  return gradeBy(judged, [
    [3, ({ document }) => document.cpvs[0] === code],
    [2, ({ document }) => document.cpvs.includes(code)],
    [1, ({ document }) => document.cpvs.some((one) => one.startsWith(sameClass))],
  ]);
}

function codes(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const known = [...new Set(judged.flatMap(({ document }) => document.cpvs))];
  return choose(known, PER_KIND, draw, (code) => `code ${code}`).map((code) => ({
    kind: 'CPV code',
    text: code,
    grades: gradeBy(judged, [[3, ({ document }) => document.cpvs.includes(code)]]),
  }));
}

function buyers(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  return choose(namesOf(judged.map(({ document }) => document.buyer)), PER_KIND, draw, (name) => `buyer ${name}`).map(
    (name) => ({ kind: 'buyer', text: name.toLowerCase(), grades: gradeBy(judged, [[3, isOf(name)]]) }),
  );
}

/** What a buyer is called in short, with what it buys. */
function buyersAndSubjects(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const kind = 'buyer and subject';
  const named = judged.filter(({ document }) => document.buyer !== null && document.cpvs.length > 0);
  const short = ({ document }: Judged) => plain((document.buyer ?? '').toLowerCase().replace(KIND_OF_BUYER, ' '));
  const subject = ({ title }: Judged) => title.split(' ').filter(tells).slice(0, 2);
  const usable = named.filter((one) => short(one).length >= 4 && subject(one).length === 2);
  const once = [...new Map(usable.map((one) => [`${short(one)} ${subject(one).join(' ')}`, one])).entries()];
  return choose(once, PER_KIND, draw, ([text]) => kind + text).map(([text, one]) => {
    const ofBuyer = isOf(one.document.buyer ?? '');
    const sameCode = ({ document }: Judged) => document.cpvs[0] === one.document.cpvs[0];
    const sameTitle = ({ title }: Judged) => title === one.title;
    const grades = gradeBy(judged, [
      [3, (each) => ofBuyer(each) && (sameTitle(each) || sameCode(each))],
      [1, (each) => ofBuyer(each) || sameTitle(each)],
    ]);
    return { kind, text, grades };
  });
}

function suppliers(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const names = namesOf(judged.flatMap(({ document }) => document.suppliers));
  return choose(names, PER_KIND, draw, (name) => `supplier ${name}`).map((name) => ({
    kind: 'supplier',
    text: plain(name).replace(/ (?:ltd|limited|llp|plc)$/, ''),
    grades: gradeBy(judged, [[3, ({ suppliers }) => suppliers.includes(plain(name))]]),
  }));
}

function identifiers(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  return choose(judged, PER_KIND, draw, ({ document }) => `id ${document.id}`).map(({ document: asked }, index) => {
    const number = asked.company_numbers[0];
    const ways: [string, (one: Judged) => boolean][] = [
      [asked.notice_id, ({ document }) => document.notice_id === asked.notice_id],
      [asked.ocid, ({ document }) => document.ocid === asked.ocid],
      ...(number
        ? [[number, ({ document }: Judged) => document.company_numbers.includes(number)] as [string, () => boolean]]
        : []),
    ];
    const [text, holds] = ways[index % ways.length] ?? [asked.notice_id, () => false];
    return { kind: 'identifier', text, grades: gradeBy(judged, [[3, holds]]) };
  });
}

/** Thirteen words copied out of a description: more than some engines read. */
function descriptions(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const kind = 'words of a description';
  const long = judged.filter(({ description }) => description.split(' ').length >= 40);
  return choose(long, PER_KIND, draw, ({ document }) => kind + document.id).map((asked) => {
    const words = asked.description.split(' ');
    const run = words
      .slice(numberOf(asked.document.id) % (words.length - 13))
      .slice(0, 13)
      .join(' ');
    const grades = gradeBy(judged, [
      [3, ({ description }) => ` ${description} `.includes(` ${run} `)],
      [1, ({ title }) => title === asked.title],
    ]);
    return { kind, text: run, grades };
  });
}

function isOf(buyer: string): (one: Judged) => boolean {
  const name = plain(buyer);
  return (one) => one.buyer === name;
}

function namesOf(names: readonly (string | null)[]): string[] {
  const suitable = names.filter((name): name is string => name !== null && wordsOf(name).some(tells));
  return [...new Map(suitable.map((name) => [plain(name), name])).values()];
}
