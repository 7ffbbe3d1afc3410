import { OGL } from '../../schema/reference/licence.ts';
import { ADDRESS_PATH } from '../../schema/text/document-links.ts';
import type { CellsSource } from '../source.ts';
import { INTERMEDIATE_CERTIFICATE } from './proactis/certificate.ts';
import { cellUrl, DIRECTIVE_TYPES, readCell } from './proactis/grid.ts';
import { adaptRelease, ownNumber } from './proactis/release.ts';

const PAGE_ID = '[a-z]{3}\\d{4,}';
const OCID = 'ocds-r6ebe6-\\d{10}';
const SITE = { prefix: 'PCS-', reference: /\(SC Ref:\s*(\d+)\)/g };

export const publicContractsScotland: CellsSource = {
  kind: 'notices',
  asked: 'by_cell',
  id: 'public_contracts_scotland',
  cliName: 'public-contracts-scotland',
  title: 'Public Contracts Scotland',
  aliases: ['pcs', 'scotland', 'publiccontractsscotland'],
  homepage: 'https://www.publiccontractsscotland.gov.uk',
  ...OGL,
  attribution: `${OGL.attribution} Source: Public Contracts Scotland, the Scottish Government.`,
  // Notices appear during the day; a run is 42 requests.
  timetable: '35 */4 * * *',
  budget: ({ DEVOLVED_GAP_SECONDS: gap }) => ({
    name: 'public_contracts_scotland',
    gapMs: gap * 1_000,
    slowGapMs: gap * 4_000,
  }),
  // 62 of type 102 and 69 of type 2 in 19 days of September 2026, awards and other forms besides.
  expected: { least: 100, most: 3_000 },
  leastOnWorkingDay: 3,
  certificates: [INTERMEDIATE_CERTIFICATE],
  notices: {
    id: new RegExp(`^PCS-${PAGE_ID}$`, 'i'),
    pageBase: 'https://www.publiccontractsscotland.gov.uk/search/show/search_view.aspx?ID=',
    ocid: new RegExp(`^${OCID}$`, 'i'),
    recordBase: 'https://api.publiccontractsscotland.gov.uk/v1/Notice?id=',
    prefix: SITE.prefix,
    naming: {
      // `ID=` on other pages is the notice's own number, which is also the end of its text.
      address: String.raw`publiccontractsscotland\.gov\.uk${ADDRESS_PATH}(?:Notice\?id=(${OCID})|\bID=(${PAGE_ID}|\d{6,})\b)`,
      quote: String.raw`\b(${OCID})\b|\(SC Ref:\s*(\d+)\)`,
    },
    countedNumber: ownNumber,
    rank: 0,
    nullDeletes: true,
  },
  baseUrl: (settings) => settings.PUBLIC_CONTRACTS_SCOTLAND_URL,
  // Families of notices reach back further; the service answers for months from 2019 on.
  firstDay: '2019-01-01',
  types: [
    { type: '102', title: 'Website contract notice' },
    { type: '103', title: 'Website contract award notice' },
    ...DIRECTIVE_TYPES,
    { type: '101', title: 'Website prior information notice' },
    { type: '104', title: 'Award of a Quick Quote' },
  ],
  cellUrl,
  readCell,
  adapt: (release, url) => adaptRelease(SITE, release, url),
};
