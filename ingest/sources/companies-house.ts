import { OGL } from '../../schema/reference/licence.ts';
import type { RegisterSource } from '../source.ts';

export const companiesHouse: RegisterSource = {
  kind: 'register',
  id: 'companies_house',
  cliName: 'companies-house',
  title: 'Companies House',
  homepage: 'https://www.gov.uk/government/organisations/companies-house',
  ...OGL,
  attribution: `${OGL.attribution} Source: Companies House.`,
  // The bulk file appears some days into a month; checking its page costs one request, and new suppliers come daily.
  timetable: '40 3 * * *',
  budget: (settings) => ({
    name: 'companies_house',
    gapMs: settings.COMPANIES_HOUSE_GAP_SECONDS * 1_000,
    slowGapMs: settings.COMPANIES_HOUSE_GAP_SECONDS * 2_000,
  }),
  expected: { least: 4_000_000, most: 9_000_000 },
  // Occasional 403s are reported to pass by themselves; a key that is locked to another address fails after five.
  forbiddenWaitSeconds: 60,
  editionsPath: '/en_output.html',
  profilesPerRun: 1_000,
  bulkUrl: (settings) => settings.COMPANIES_HOUSE_BULK_URL,
  apiUrl: (settings) => settings.COMPANIES_HOUSE_URL,
  apiKey: (settings) => ({ setting: 'COMPANIES_HOUSE_API_KEY', value: settings.COMPANIES_HOUSE_API_KEY }),
  profilePath: (companyNumber) => `/company/${companyNumber}`,
};
