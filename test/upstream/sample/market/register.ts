import { createHash } from 'node:crypto';
import type { Json, RegisterRow } from '../../data.ts';
import { addDays, addMonths } from '../dates.ts';
import type { Company } from './companies.ts';
import { countryOf } from './places.ts';

/** `2026-09-01` as the bulk file writes it. */
function bulkDate(day: string): string {
  return day.split('-').reverse().join('/');
}

interface Filings {
  madeUp: string;
  nextDue: string;
  statementMade: string;
  statementDue: string;
}

function filingsOf({ incorporated, status }: Company, today: string): Filings {
  const [year = '2026'] = today.split('-');
  const madeUp = `${Number(year) - 1}-03-31`;
  // The statement of the last anniversary was made, but by those who are to be struck off.
  const anniversary = `${year}${incorporated.slice(4)}`;
  const made = Number(year) - (anniversary <= today ? 0 : 1) - (status.includes('Strike off') ? 1 : 0);
  const statementMade = `${made}${incorporated.slice(4)}`;
  return {
    madeUp,
    nextDue: addMonths(madeUp, 21),
    statementMade,
    statementDue: addDays(addMonths(statementMade, 12), 14),
  };
}

/** When it took its present name. */
function renamedOn({ incorporated }: Company): string {
  return incorporated < '2018' ? '2019-06-14' : addMonths(incorporated, 14);
}

/** The register's row of a company that is in it. */
export function registerRow(company: Company, number: string, today: string): RegisterRow {
  const filings = filingsOf(company, today);
  return {
    CompanyName: company.name,
    CompanyNumber: number,
    'RegAddress.AddressLine1': company.street.toUpperCase(),
    'RegAddress.PostTown': company.place.name.toUpperCase(),
    'RegAddress.County': company.place.county.toUpperCase(),
    'RegAddress.Country': countryOf(company.place).toUpperCase(),
    'RegAddress.PostCode': company.postcode,
    CompanyCategory: company.category,
    CompanyStatus: company.status,
    CountryOfOrigin: 'United Kingdom',
    IncorporationDate: bulkDate(company.incorporated),
    'Accounts.AccountRefDay': '31',
    'Accounts.AccountRefMonth': '3',
    'Accounts.NextDueDate': bulkDate(filings.nextDue),
    'Accounts.LastMadeUpDate': bulkDate(filings.madeUp),
    'Accounts.AccountCategory': company.sme ? 'TOTAL EXEMPTION FULL' : 'FULL',
    'Mortgages.NumMortCharges': company.sme ? '0' : '2',
    'Mortgages.NumMortOutstanding': company.sme ? '0' : '1',
    'Mortgages.NumMortPartSatisfied': '0',
    'Mortgages.NumMortSatisfied': company.sme ? '0' : '1',
    'SICCode.SicText_1': `${company.trade.sic[0]} - ${company.trade.sic[1]}`,
    'LimitedPartnerships.NumGenPartners': '0',
    'LimitedPartnerships.NumLimPartners': '0',
    URI: `http://business.data.gov.uk/id/company/${number}`,
    ...(company.formerName
      ? { 'PreviousName_1.CONDATE': bulkDate(renamedOn(company)), 'PreviousName_1.CompanyName': company.formerName }
      : {}),
    ConfStmtNextDueDate: bulkDate(filings.statementDue),
    ConfStmtLastMadeUpDate: bulkDate(filings.statementMade),
  };
}

const JURISDICTIONS: Record<string, string> = { Scotland: 'scotland', 'Northern Ireland': 'northern-ireland' };
const TYPES: Record<string, string> = {
  'Public Limited Company': 'plc',
  'Limited Liability Partnership': 'llp',
  'Registered Society': 'registered-society-non-jurisdictional',
};

const STATUS: Record<string, string> = {
  Active: 'active',
  'Active - Proposal to Strike off': 'active',
  Liquidation: 'liquidation',
  'In Administration': 'administration',
};

/** The profile that the API answers for the same company. */
export function companyProfile(company: Company, number: string, today: string): Json {
  const filings = filingsOf(company, today);
  const country = countryOf(company.place);
  const statementOverdue = filings.statementDue < today;
  return {
    accounts: {
      accounting_reference_date: { day: '31', month: '03' },
      last_accounts: {
        made_up_to: filings.madeUp,
        period_end_on: filings.madeUp,
        type: company.sme ? 'total-exemption-full' : 'full',
      },
      next_accounts: { due_on: filings.nextDue, overdue: false },
      next_due: filings.nextDue,
      overdue: false,
    },
    can_file: true,
    company_name: company.name,
    company_number: number,
    company_status: STATUS[company.status] ?? 'active',
    ...(company.status.includes('Strike off') ? { company_status_detail: 'active-proposal-to-strike-off' } : {}),
    confirmation_statement: {
      last_made_up_to: filings.statementMade,
      next_due: filings.statementDue,
      overdue: statementOverdue,
    },
    date_of_creation: company.incorporated,
    etag: createHash('sha1').update(`${number}/${company.name}`).digest('hex'),
    has_charges: !company.sme,
    has_insolvency_history: ['Liquidation', 'In Administration'].includes(company.status),
    jurisdiction: JURISDICTIONS[country] ?? 'england-wales',
    links: {
      self: `/company/${number}`,
      officers: `/company/${number}/officers`,
      filing_history: `/company/${number}/filing-history`,
    },
    ...(company.formerName
      ? {
          previous_company_names: [
            { name: company.formerName, effective_from: company.incorporated, ceased_on: renamedOn(company) },
          ],
        }
      : {}),
    registered_office_address: {
      address_line_1: company.street,
      locality: company.place.name,
      postal_code: company.postcode,
      country,
      region: null,
    },
    sic_codes: [company.trade.sic[0]],
    type: TYPES[company.category] ?? 'ltd',
    undeliverable_registered_office_address: false,
  };
}
