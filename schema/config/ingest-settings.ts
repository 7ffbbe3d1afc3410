import { z } from 'zod';
import { address, duration, headerText, setting, text, wholeNumber } from './value-types.ts';

/** Where sources are requested, how often, and how much of them is stored. */
export const INGEST_SETTINGS = {
  CONTACT: setting(
    undefined,
    headerText.optional(),
    'E-mail or web address in the User-Agent of every upstream request; live ingest needs it.',
  ),
  FIND_A_TENDER_URL: setting('https://www.find-tender.service.gov.uk', address, 'Address of Find a Tender.'),
  CONTRACTS_FINDER_URL: setting('https://www.contractsfinder.service.gov.uk', address, 'Address of Contracts Finder.'),
  PUBLIC_CONTRACTS_SCOTLAND_URL: setting(
    'https://api.publiccontractsscotland.gov.uk',
    address,
    'Address of the API of Public Contracts Scotland.',
  ),
  SELL2WALES_URL: setting('https://api.sell2wales.gov.wales', address, 'Address of the API of Sell2Wales.'),
  COMPANIES_HOUSE_URL: setting(
    'https://api.company-information.service.gov.uk',
    address,
    'Address of the Companies House API.',
  ),
  COMPANIES_HOUSE_BULK_URL: setting('https://download.companieshouse.gov.uk', address, 'Address of its bulk files.'),
  COMPANIES_HOUSE_API_KEY: setting(undefined, text.optional(), 'Its key; without one only the bulk file is read.'),
  PROFILE_REFRESH_DAYS: setting(
    '90',
    wholeNumber(1, 3_650),
    "Days after which a supplier's profile (or its absence) is fetched again.",
  ),
  PROCUREMENT_GAP_SECONDS: setting(
    '12.5',
    duration('seconds', 0, 3_600),
    'Seconds between the starts of requests to both procurement services.',
  ),
  PROCUREMENT_GAP_AFTER_429_SECONDS: setting(
    '15',
    duration('seconds', 0, 3_600),
    'The same for an hour after a refusal (429), if longer.',
  ),
  PROCUREMENT_OTHER_GAP_SECONDS: setting(
    '0.6',
    duration('seconds', 0, 3_600),
    'The same for their other paths (daily files, single releases and records).',
  ),
  DEVOLVED_GAP_SECONDS: setting(
    '4',
    duration('seconds', 0, 3_600),
    'The same for each service of a devolved government.',
  ),
  COMPANIES_HOUSE_GAP_SECONDS: setting('0.5', duration('seconds', 0, 3_600), 'The same for the Companies House API.'),
  REQUEST_TIMEOUT_SECONDS: setting(
    '60',
    duration('seconds', 0.1, 3_600),
    'Seconds after which an upstream request is tried again.',
  ),
  OVERLAP_HOURS: setting('3', duration('hours', 0, 8_760), 'Hours before its cursor at which a run starts.'),
  FIRST_WINDOW_DAYS: setting('2', wholeNumber(1, 10_000), 'Days that the first run of a procurement source goes back.'),
  KEEP_CONTACTS: setting(
    'none',
    z.enum(['none', 'open_tenders'], 'none or open_tenders'),
    'Contact points (names, e-mails, telephones) to keep: none, or of open tenders until their deadline.',
  ),
  REWALK_DAYS: setting(
    '3',
    wholeNumber(1, 10_000),
    'Days read again every night, for notices that become visible late.',
  ),
  PROBES_PER_RUN: setting(
    '200',
    wholeNumber(1, 100_000),
    'Missing notices fetched by id per source and night, at most.',
  ),
} as const;
