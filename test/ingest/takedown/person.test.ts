import { describe, expect, it } from 'vitest';
import { findUnfindable, makePersonTarget } from '../../../ingest/takedown/record.ts';
import { makeRedactor, redactJson } from '../../../ingest/takedown/treatment.ts';
import { runCli } from '../../support/run-command.ts';

const NOBODY = { names: [], texts: [], emails: [], telephones: [] };
const target = makePersonTarget({
  names: ['María de Silva', 'Will Grant'],
  texts: ['12 Elm Cottage, High Street'],
  emails: ['María.Silva@exämple.org'],
  telephones: ['+44 1634 331042'],
});
const { redact: strike, isIn, marker, mayConcern } = makeRedactor('tk_test', target);

describe('a takedown finds its person', () => {
  it.each([
    ...[
      'Maria de Silva',
      'MARÍA DE SILVA',
      'de Silva, Maria',
      'M. de Silva',
      'Maria DeSilva',
      'Mar&iacute;a\u2011de\u00a0Silva',
    ],
    ...['Will Grant', 'Grant, Will', 'W. Grant', '12 elm cottage high street'],
    ...['maria.silva@example.org', 'maria dot silva at example dot org', 'María.Silva[at]xn--exmple-cua.org'],
    ...['01634 331 042', '0044 1634-331-042', '01634\u2011331042', '01634/331042'],
  ])('however written: %s', (written) => {
    const text = `It was ${written}; so it is.`;
    expect(strike(text)).toBe(`It was ${marker}; so it is.`);
    expect(mayConcern(JSON.stringify({ a: { b: `\n${text}` } }))).toBe(true);
    const json = JSON.stringify({ by: `Written by:\n${written}\n` });
    const inAscii = json.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    for (const one of [text, json, inAscii, inAscii.slice(0, -3)]) expect([one, isIn(one)]).toEqual([one, true]);
  });

  it.each([
    ['https://example.org/files/Will%20Grant%20CV.pdf', `https://example.org/files/${marker}%20CV.pdf`],
    ['https://example.org/files/Grant%2C%20Will.pdf', `https://example.org/files/${marker}.pdf`],
    ['https://example.org/?by=Mar%C3%ADa%20de%20Silva', `https://example.org/?by=${marker}`],
    ['https://example.org/12%20Elm%20Cottage,%20High%20Street', `https://example.org/${marker}`],
  ])('in a web address, which escapes spaces and accents: %s', (address, left) => {
    expect(strike(address)).toBe(left);
    expect(mayConcern(JSON.stringify({ url: address }))).toBe(true);
  });

  it('in the ids that were made from a name, in either order', () => {
    const ids = 'name-maria-de-silva-0a1b2c3d name-de-silva-maria-0a1b2c3d at-maria-de-silva-ls1-0a1b2c3d';
    expect(strike(ids)).not.toMatch(/silva/);
    expect(strike('name-maria-de-silvana-0a1b2c3d')).toContain('silvana');
  });

  it('who trades under another name', () => {
    const { redact } = makeRedactor('tk_test', makePersonTarget({ ...NOBODY, names: ['Morgan Reed t/a Clerkworks'] }));
    expect(redact('Morgan Reed t/a Clerkworks, Ms M Reed')).toBe(`${marker} t/a Clerkworks, Ms ${marker}`);
  });

  it('and nothing else', () => {
    const text =
      'The council will grant access to da Silva Ltd, 12 Elm Cottages; ref DN01634331042, £1,634,331,042, 5%20 Grant.';
    expect(strike(text)).toBe(text);
    expect(isIn(JSON.stringify({ text, path: 'C:\\Users\\new' }))).toBe(false);
  });

  it('by a target of an earlier version, which has names among its texts', () => {
    const { names: _names, ...before } = makePersonTarget({ ...NOBODY, texts: ['Ann Clerk'] });
    const former = makeRedactor('tk_before', before);
    expect(former.redact('By ANN  CLERK.')).toBe(`By ${former.marker}.`);
  });
});

describe('a firm with the names of several people', () => {
  const strikeOf = (name: string) => makeRedactor('tk_test', makePersonTarget({ ...NOBODY, names: [name] })).redact;
  const FIRMS = ['John Carter and Peter Hale Ltd', 'Carter & Hale (Builders) CIC', 'A. Whitlock and R. Dunne LLP'];
  const OTHERS = ['Morgan Reed Cyfyngedig', 'John Carter and Peter Hale GmbH', 'Carter & Hale and Reed Ltd'];

  it.each([...FIRMS, ...OTHERS])('is one name, with either and: %s', (firm) => {
    for (const written of [firm, firm.toUpperCase(), firm.replace(' and ', ' & '), firm.replace(' & ', ' and ')])
      expect(strikeOf(firm)(`Won by ${written}.`)).toBe(`Won by ${marker}.`);
    const people = 'John Carter, Carter Hale, Hale CIC, Mr Whitlock, A. Whitlock, R. Dunne or Morgan Reed';
    expect(strikeOf(firm)(people)).toBe(people);
  });

  it.each([
    ['John Carter and Peter Hale Ltd', 'John Carter & Peter Hale LIMITED'],
    ['Ann Clerk Limited', 'Ann Clerk Ltd.'],
    ['Whitlock Dunne LLP', 'Whitlock Dunne Limited Liability Partnership'],
    ['Morgan Reed Cyf', 'Morgan Reed Cyfyngedig'],
    ['Ann Clerk Public Limited Company', 'Ann Clerk plc'],
    ['Whitlock Dunne L.L.P.', 'Whitlock Dunne LLP'],
    ['Morgan Reed Community Interest Company', 'Morgan Reed C.I.C.'],
    ['Clerk & Co Ltd', 'Clerk & Company Limited'],
    ['Clerk and Company Limited', 'Clerk & Co. Ltd'],
    ['Hives & Co.', 'Hives and Company'],
    ['The Hive Lane Honey Co', 'The Hive Lane Honey Company'],
  ])('has its legal form written out or short: %s is %s', (firm, written) => {
    expect(strikeOf(firm)(`Won by ${written}`)).toMatch(/^Won by .withheld \w+.\.?$/);
    const another = 'Ann Clerk LLP, Whitlock Dunne and Morgan Reed, Reed Company Ltd, Clerk Ltd, or Ann Clerk';
    expect(strikeOf(firm)(another)).toBe(another);
  });

  it.each([
    ['The Hive Lane Honey Company', 'Sold by the Hive Lane Honey Co-operative, and the Hive Lane Honey Co. Durham'],
    ['Hives & Company', 'Sold by Hives & Co-operative Society, and Hives & Co-op'],
    ['Sa & Hives SA', 'Won by Hives SA'],
  ])('is not another that is called much the same: %s', (firm, another) => {
    expect(strikeOf(firm)(`Won by ${firm}.`)).toBe(`Won by ${marker}.`);
    expect(strikeOf(firm)(another)).toBe(another);
  });

  it.each([
    'John Carter and Peter Hale',
    'John Carter & Peter Hale, partners',
    'John Carter and Peter Hale (the Partnership)',
  ])('is not what people are together: %s', (names) => {
    expect(strikeOf(names)('Ask John Carter or P. Hale.')).toBe(`Ask ${marker} or ${marker}.`);
  });
});

it.each(['Maria Sa', 'Maria Sa and Pedro Sa', 'Pedro Sa & Maria Sa'])('a surname may be a legal form: %s', (names) => {
  const { redact } = makeRedactor('tk_test', makePersonTarget({ ...NOBODY, names: [names] }));
  expect(redact('Ask Maria Sa, or Ms M Sa.')).toBe(`Ask ${marker}, or Ms ${marker}.`);
});

describe('a party with the name of the person', () => {
  const HOME = { streetAddress: '3 Hive Lane', locality: 'Combe', postalCode: 'ZZ9 9ZZ', countryName: 'UK' };
  const details = { url: 'https://grant.example.org', scale: 'sme' };
  const treated = (names: object) =>
    redactJson({ ...names, address: HOME, details }, makeRedactor('tk_test', target)) as Record<string, unknown>;

  it.each([
    ['Will Grant', 'Grant Hives Ltd'],
    ['Hives of Harrowmere', 'Will Grant'],
    [undefined, 'GRANT, WILL'],
  ])('loses the address, which is a home: %s, by law %s', (name, legalName) => {
    const party = treated({ name, identifier: { legalName } });
    expect(party).toMatchObject({ address: { countryName: 'UK' }, details: { scale: 'sme' } });
    expect(JSON.stringify(party)).not.toMatch(/Hive Lane|Combe|ZZ9|grant\.example/);
  });

  it('is no other one: that keeps its address', () => {
    const other = { name: 'Hives of Harrowmere', identifier: { legalName: 'Will Grantham' } };
    expect(treated(other)).toEqual({ ...other, address: HOME, details });
  });
});

describe('a term that would not be found', () => {
  it('is named', () => {
    const fine = {
      names: ['Jo Bee', 'Bees & Sons'],
      texts: ['1 Hive'],
      emails: ['a@b.org'],
      telephones: ['0800 1111'],
    };
    expect(findUnfindable(fine)).toEqual([]);
    const bad = {
      emails: ['a@b.1', '"a b"@c.org'],
      telephones: ['01634 331042 ext 214 or 215', '12345678901234567890'],
    };
    expect(findUnfindable({ ...NOBODY, ...bad })).toEqual([...bad.emails, ...bad.telephones]);
  });

  it('is refused', async () => {
    const asked = ['takedown', 'person', '--phone', '12345678901234567890', '--reason', 'r'];
    const { code, stderr } = await runCli({}, ...asked);
    expect(code).not.toBe(0);
    expect(stderr).toContain('12345678901234567890 would be found in no text');
  });
});
