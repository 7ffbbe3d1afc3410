import { describe, expect, it } from 'vitest';
import { cleanText, normalTelephone, redact, redactUrl } from '../../../ingest/fields/text/clean.ts';

const MAIL = '[e-mail removed]';
const TEL = '[telephone removed]';

describe('redaction', () => {
  it.each([
    ['Write to jo.bloggs@example.gov.uk.', `Write to ${MAIL}.`],
    ['mailto:Tenders+Lot1@Example-Council.org.uk, please', `${MAIL}, please`],
    ['<a.b@example.org> or "c_d@example.org"', `<${MAIL}> or "${MAIL}"`],
    ['jo @ example.org, jo[at]example.org (jo (at) example.org)', `${MAIL}, ${MAIL} (${MAIL})`],
    ['https://example.org/ask?to=jo%40example.org', `https://example.org/ask?to=${MAIL}`],
    ['https://jo@portal.example.org/login', 'https://portal.example.org/login'],
  ])('takes e-mail addresses out: %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it.each([
    '020 7946 0000',
    '0207 946 0000',
    '02079460000',
    '(020) 7946 0000',
    '01632 960000',
    '01632 960 000',
    '01632-960-000',
    '01632.960000',
    '016977 1234',
    '07700 900123',
    '07700 900 123',
    '+44 7700 900123',
    '+44 (0)20 7946 0000',
    '+44(0)2079460000',
    '0044 20 7946 0000',
    '44 (0)1632 960000',
    '(0)1632 960000',
    '0800 123 4567',
    '0800 1111 222',
    '+353 1 234 5678',
    '+1 (202) 555-0123',
    '01632 960000 ext. 214',
    '01632 960000 x214',
    '01632 960000 (ext 214)',
  ])('takes telephone numbers out: %s', (number) => {
    expect(redact(`Ring ${number}, or write.`)).toBe(`Ring ${TEL}, or write.`);
    expect(redact(number)).toBe(TEL);
  });

  it('takes out a number that is glued to a word', () => {
    expect(redact('Call us on01634 331 042, or Ring01634-331042')).toBe(`Call us on${TEL}, or Ring${TEL}`);
  });

  it('takes out what is called a telephone, and both of two', () => {
    expect(redact('Tel: 7946 0000\nFax no. 960 123')).toBe(`Tel: ${TEL}\nFax no. ${TEL}`);
    expect(redact('01632 960000/01632 960001')).toBe(`${TEL}/${TEL}`);
  });

  it.each([
    'CPV 09100000-0, 45000000-7 and 09000000 31000000',
    'GBP 01234567.89, £0800123456 or 1,012,345,678',
    'from 01/04/2024 to 31/03/2026, 01-04-2024 0900, 2024-2025',
    'open 0800-1700 01/04/2024',
    'DN123456, DN0123456789, CF-0221900D0O000000rwimUAA, ref 0101-2024-001',
    'OJEU 2022/S 000-029179 and 2020/S 080-189792',
    'notice 083685-2026 and 002109-2021 of ocds-h6vhtk-0525b3',
    'eb319a04-0777-4d11-9a12-012345678901',
    'ocds-b5fd17-84e72682-bbaa-4ec5-bde5-7a9850b01126-353045-mt219409, lot-no01126 353045',
    'company 01234567, charity 0012345, VAT 012345678, UPRN 010012345678',
    'SW1A 1AA, PO15 7JZ',
    'https://example.org/notice/01632960000?id=07700900123',
    'https://maps.example.org/@51.5,-0.12,15z and https://example.org/@council',
    'meet @ 10.30, or @council',
    'fax: 2024-2025',
    '1,600,000,000 kWh in 12 months; 0.1234567890; lots 1 2 3 4 5 6 7 8 9 10 11',
  ])('leaves other numbers alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('knows a number however it is written', () => {
    const written = ['+44 (0)20 7946 0000', '0044 2079460000', '020 7946 0000', '44 20 7946 0000', '20 7946 0000'];
    expect(new Set(written.map(normalTelephone))).toEqual(new Set(['02079460000']));
    expect(normalTelephone('+353 1 234 5678')).toBe('+35312345678');
  });

  it('sees through markup, and keeps web addresses but not mail addresses as links', () => {
    expect(cleanText('<p>Ask jo&#64;example.org<br/>or 01632&nbsp;960000</p>')).toBe(`Ask ${MAIL}\nor ${TEL}`);
    expect(redactUrl('mailto:jo@example.org')).toBeUndefined();
    expect(redactUrl('jo@example.org')).toBeUndefined();
    expect(redactUrl('https://jo@example.org/a?b=c@example.org')).toBe('https://example.org/a?b=');
    expect(redactUrl('https://example.org/01632960000')).toBe('https://example.org/01632960000');
  });

  it('is not slowed down by a text made to do so', () => {
    const hostile = [
      'a.'.repeat(50_000),
      '0 '.repeat(50_000),
      '0('.repeat(50_000),
      '@'.repeat(50_000),
      '01 '.repeat(50_000),
    ];
    for (const text of hostile) expect(redact(`${text}@`)).toBe(`${text}@`);
  });
});
