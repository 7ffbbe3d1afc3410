import { describe, expect, it } from 'vitest';
import { readPeople } from '../../../ingest/contacts/person-matcher.ts';
import { findNumbers } from '../../../ingest/contacts/telephones.ts';
import { foldText } from '../../../ingest/fields/text/fold.ts';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { packageOf } from '../compile/releases.ts';

const MAIL = '[e-mail removed]';
const TEL = '[telephone removed]';
const NAME = '[name removed]';

/** What is left of a text in a release with these contact points. */
function leftOf(text: string, contact: object, supplier = 'Bees Ltd', legalName = supplier): string {
  const release = {
    ocid: 'ocds-h6vhtk-000001',
    id: '000001-2026',
    date: '2026-01-01T00:00:00Z',
    tag: ['tender'],
    parties: [
      { id: 'b', name: 'Little Example Council', roles: ['buyer'], contactPoint: contact },
      { id: 's', name: supplier, identifier: { legalName }, roles: ['supplier'] },
    ],
    tender: { id: 't', description: text },
  };
  const page = readOcdsPage(packageOf([release]), { source: 'find_a_tender', url: 'test' });
  const [read] = page.releases;
  if (!read) throw new Error('the release was not read');
  return (read.json as { tender: { description: string } }).tender.description;
}

describe("a release's own e-mail address", () => {
  const contact = { email: 'José.Núñez@exämple.gov.uk' };
  it.each([
    'josé.núñez@exämple.gov.uk',
    'jose.nunez@example.gov.uk',
    'JOSÉ.NÚÑEZ@XN--EXMPLE-CUA.GOV.UK',
    'jose\u0301.nun\u0303ez@exämple.gov.uk',
    'jose.nunez [at] example.gov.uk',
    'jose.nunez(at)example(dot)gov(dot)uk',
    'jose.nunez at example.gov.uk',
    'jose dot nunez at example dot gov dot uk',
    'josé.núñez＠exämple.gov.uk',
    'jos&eacute;.nunez&#64;example.gov.uk',
    'jose.nu\u200bnez@exam\u00adple.gov.uk',
    'mailto:jose.nunez@example.gov.uk',
  ])('is struck however written: %s', (written) => {
    expect(leftOf(`Write to ${written}, please.`, contact)).toBe(`Write to ${MAIL}, please.`);
  });

  it('is not seen in a sentence', () => {
    const text = 'The team at example is available at example.gov.uk at all times, at 5 dot 30.';
    expect(leftOf(text, contact)).toBe(text);
  });
});

describe("a release's own telephone number", () => {
  const contact = { telephone: '01634 331042' };
  it.each([
    '01634 331042',
    '01634331042',
    '016 34 33 10 42',
    '(01634) 331042',
    '01634.331.042',
    '01634\u2011331\u2011042',
    '01634\u2013331\u00a0042',
    '01634/331/042',
    '01634 - 331 - 042',
    '0 1 6 3 4 3 3 1 0 4 2',
    '+44 1634 331042',
    '+44 (0)1634 331042',
    '+44(0) 1634-331-042',
    '0044 1634 331 042',
    '00441634331042',
    '44 1634 331042',
    '01634 331\n042',
    '０１６３４ ３３１０４２',
    '01634&nbsp;331&#48;42',
    '01634 331042 ext. 214',
  ])('is struck however written: %s', (written) => {
    expect(leftOf(`Ring ${written} today.`, contact)).toBe(`Ring ${TEL} today.`);
  });

  it.each([
    ['Call us on01634 331 042 now', `Call us on${TEL} now`],
    ['TEL01634331042', `TEL${TEL}`],
    ['Tel:01634331042Email', `Tel:${TEL}Email`],
    ['01634331043/01634331042', `01634331043/${TEL}`],
    ['Tel 1634 331042', `Tel ${TEL}`],
    ['lot 5 01634 331 042 3 years', `lot 5 ${TEL} 3 years`],
  ])('is struck where it is glued to something: %s', (text, left) => {
    expect(leftOf(text, contact)).toBe(left);
  });

  it.each([
    ['0800 123 4567', 'free 0800-123-4567, +44 800 1234567'],
    ['0800 1111', 'free 08001111, 0800-1111'],
    ['0800 1111', 'free 0044 800 1111, 0044 (0)800 1111'],
    ['00800 1234 5678', 'free 00800 12345678, +800 1234 5678'],
    ['+33 1 23 45 67 89', 'free 0033 123456789, +33 (0)1.23.45.67.89'],
  ])('is struck where it is free, or from abroad: %s', (telephone, text) => {
    expect(leftOf(text, { telephone })).toBe(`free ${TEL}, ${TEL}`);
  });

  it.each([
    '£1,634,331,042 and GBP 1634331042',
    'DN01634331042, REF-01634331042, 01634331042-0001',
    'https://example.org/notice/01634331042?id=01634331042',
    'CPV 16343310-4 and 2 lots, 016343310425',
    'ref 0163433104, 1634 331042 units, 101634331042',
  ])('leaves codes, sums and references that share its digits: %s', (text) => {
    expect(leftOf(text, contact)).toBe(text);
  });

  it('leaves dates that share its digits', () => {
    const text = 'from 01.01.2025 120 units, on 01/01/2025 12:00';
    expect(leftOf(text, { telephone: '01012 025120' })).toBe(text);
  });
});

describe("the name of a release's own contact", () => {
  it.each([
    [
      'Ann Clark-Jones',
      'ann clark-jones | ANN CLARK JONES | Clark-Jones, Ann | Clark-Jones Ann | A. Clark-Jones | Ann B. Clark Jones',
    ],
    [
      'José Núñez',
      'Jose Nunez | JOSÉ NÚÑEZ | nuñez, josé | J. Nunez | J Núñez | Jose&#769; N&uacute;&ntilde;ez | Mr Nunez',
    ],
    [
      'Maria de Silva',
      'Maria De Silva | maria desilva | de Silva, Maria | M. de Silva | Silva, Maria de | MARIA DE SILVA | Ms de Silva',
    ],
    [
      'Jan van der Berg',
      'Jan van der Berg | Jan Van Der Berg | van der Berg, Jan | J. van der Berg | J van der Berg | Jan Vanderberg',
    ],
    ["Siobhán O'Brien", 'Siobhan O’Brien | Siobhan OBrien | S. O&#039;Brien | O’Brien, S. | SIOBHAN O BRIEN'],
    [
      'Featherstone, Jane',
      'Jane Featherstone | J. Featherstone | Featherstone, J. | jane featherstone | Dr Jane Featherstone',
    ],
    [
      'Mrs Jane Anne Featherstone (HQ)',
      'Jane Featherstone | Jane Anne Featherstone | J.A. Featherstone | JA Featherstone | Jane A Featherstone',
    ],
    [
      'jane featherstone',
      'Jane Featherstone | Jane <b>Featherstone | Jane\u2011Featherstone | Jane\u00a0\nFeatherstone',
    ],
  ])('%s is struck however written', (name, texts) => {
    const left = texts.split(' | ').map((text) => leftOf(`Ask for ${text}, or write.`, { name }));
    expect(left.filter((one) => !/^Ask for (?:Dr |Mr |Ms )?\[name removed\]\.?, or write\.$/.test(one))).toEqual([]);
  });

  it.each([
    [
      'Will Grant',
      'The Council will grant access. A grant will be paid; I will, Grant funding permitting. GRANT. Grant a licence.',
    ],
    [
      'Mark Price',
      'The mark price is fixed. Mark the price. A price list. Price: A. Marks. Lot A Price. Prices marked.',
    ],
    ['Ann Clark', 'An announcement: Joann Clarkson, Ann Clarke, Clark and Sons, Annual Clarkia, Ann and Clark'],
    ['Jo Park', 'Johannesburg Park, Lot J Parking, jo-parkland'],
    ['Procurement Team', 'The Procurement Team buys.'],
    ['See the portal', 'See the portal.'],
    ['Smith', 'Smith & Sons'],
  ])('%s leaves ordinary text alone', (name, text) => {
    expect(leftOf(text, { name })).toBe(text);
  });

  it.each([
    ['Will Grant', 'Ask Will Grant or Grant, Will.', `Ask ${NAME} or ${NAME}.`],
    ['Mark Price', 'MARK PRICE, tel', `${NAME}, tel`],
  ])('%s is struck where it is written as a name', (name, text, left) => {
    expect(leftOf(text, { name })).toBe(left);
  });

  it('stays where a party is called so, in the forms in which it is', () => {
    const text = 'Ann Clark-Hill, A Clark-Hill Building and Mrs Clark-Hill';
    const contact = { name: 'Ann Clark-Hill' };
    expect(leftOf(text, contact)).toBe(`${NAME}, ${NAME} Building and ${NAME}`);
    expect(leftOf(text, contact, 'ANN CLARK-HILL TRADING')).toBe(text);
    expect(leftOf(text, contact, 'Hill Hives', 'Ann Clark-Hill')).toBe(text);
    expect(leftOf(text, contact, 'A Clark-Hill Ltd')).toBe(`${NAME}, A Clark-Hill Building and Mrs Clark-Hill`);
  });

  it('is read out of what publishers write into it', () => {
    const namesOf = (name: string, email?: string) =>
      readPeople(name, email).map(({ given, surname }) => [...given, ...surname].join(' '));
    expect(namesOf('Ben Patterson / Melanie Bailey')).toEqual(['ben patterson', 'melanie bailey']);
    expect(namesOf('Mrs Daryl Ambler and Miss Sarah Stevens')).toEqual(['daryl ambler', 'sarah stevens']);
    expect(namesOf('Matthew Jones, Senior Category Manager, City Procurement')).toEqual(['matthew jones']);
    expect(namesOf('Rachel Barker -Jones')).toEqual(['rachel barker jones']);
    expect(namesOf('Mr Blue O&#039;Connor')).toEqual(['blue o connor']);
    expect(namesOf('Ms Alison West')).toEqual(['alison west']);
    expect(namesOf('Josh Young', 'josh.young@example.gov.uk')).toEqual(['josh young']);
    expect(namesOf('Francisco del Rey')).toEqual(['francisco del rey']);
    for (const name of [
      'Mr Business Development',
      'FSA Commercial',
      'Place &amp; Environment Procurement Team',
      'Victoria Park',
    ])
      expect(namesOf(name)).toEqual([]);
  });
});

describe('a hostile text', () => {
  const LETTERS = 300_000;
  it('is looked at a bounded number of times for each of its digits', () => {
    let calls = 0;
    for (const unit of ['0 ', '01 ', '1(0)', '(0)', '44', '0044 1634 331 04', '+', '0-']) {
      const text = unit.repeat(LETTERS / unit.length);
      calls = 0;
      const has = () => {
        calls += 1;
        return false;
      };
      expect(findNumbers(foldText(text), text, { has })).toEqual([]);
      expect(calls).toBeLessThanOrEqual(16 * 3 * (text.match(/\d+/g)?.length ?? 0));
    }
  });

  it.each([
    'a.',
    '@',
    'a@',
    ' at ',
    ' dot ',
    'a dot ',
    '[at]',
    '&amp;',
    '<b ',
    '&',
    'é',
    'Ann ',
    'A. ',
    'Clark, ',
    "'",
    'x-',
  ])('made of %j ends, and is left as it is', (unit) => {
    const text = unit.repeat(LETTERS / unit.length);
    const contact = { name: 'Ann Clark', email: 'ann@example.org', telephone: '01634 331042' };
    expect(leftOf(text, contact)).toBe(text);
  });
});
