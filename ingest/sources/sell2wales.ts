import { OGL } from '../../schema/reference/licence.ts';
import { ADDRESS_PATH } from '../../schema/text/document-links.ts';
import type { CellsSource } from '../source.ts';
import { INTERMEDIATE_CERTIFICATE } from './proactis/certificate.ts';
import { cellUrl, DIRECTIVE_TYPES, readCell } from './proactis/grid.ts';
import { adaptRelease, ownNumber } from './proactis/release.ts';

const PAGE_ID = '[a-z]{3}\\d{4,}';
const OCID = 'ocds-kuma6s-\\d{4,10}';
const SITE = { prefix: 'S2W-', reference: /\(WA Ref:\s*(\d+)\)/g };
/** English. Each notice is served once in each language; the Welsh one is the same notice. */
const LOCALE = '2057';

export const sell2wales: CellsSource = {
  kind: 'notices',
  asked: 'by_cell',
  id: 'sell2wales',
  cliName: 'sell2wales',
  title: 'Sell2Wales',
  aliases: ['s2w', 'wales', 'gwerthwchigymru'],
  homepage: 'https://www.sell2wales.gov.wales',
  ...OGL,
  attribution: `${OGL.attribution} Source: Sell2Wales, the Welsh Government.`,
  timetable: '5 2-22/4 * * *',
  budget: ({ DEVOLVED_GAP_SECONDS: gap }) => ({ name: 'sell2wales', gapMs: gap * 1_000, slowGapMs: gap * 4_000 }),
  // Some 1,000 process numbers a month, awards and corrections besides; it answered nothing for most of 2026.
  expected: { least: 50, most: 3_000 },
  leastOnWorkingDay: 3,
  certificates: [INTERMEDIATE_CERTIFICATE],
  notices: {
    id: new RegExp(`^S2W-${PAGE_ID}$`, 'i'),
    pageBase: 'https://www.sell2wales.gov.wales/search/show/search_view.aspx?ID=',
    ocid: new RegExp(`^${OCID}$`, 'i'),
    recordBase: 'https://api.sell2wales.gov.wales/v1/Notice?id=',
    prefix: SITE.prefix,
    naming: {
      address: String.raw`sell2wales\.gov\.wales${ADDRESS_PATH}(?:Notice\?id=(${OCID})|\bID=(${PAGE_ID}|\d{5,})\b)`,
      quote: String.raw`\b(${OCID})\b|\(WA Ref:\s*(\d+)\)`,
    },
    countedNumber: ownNumber,
    rank: 0,
    nullDeletes: true,
  },
  baseUrl: (settings) => settings.SELL2WALES_URL,
  firstDay: '2019-01-01',
  types: [
    { type: '51', title: 'Website invitation to tender' },
    { type: '53', title: 'Website contract award notice' },
    ...DIRECTIVE_TYPES,
    { type: '52', title: 'Website prior information notice' },
    { type: '54', title: 'Subcontract, before award' },
    { type: '55', title: 'Subcontract, after award' },
    { type: '56', title: 'Subcontract award' },
  ],
  cellUrl: (base, cell) => cellUrl(base, cell, { locale: LOCALE }),
  readCell,
  adapt: (release, url) => adaptRelease(SITE, release, url),
};
