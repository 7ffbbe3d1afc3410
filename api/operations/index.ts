import type { Operation } from '../contract/operation.ts';
import { getBalance } from './account/get-balance.ts';
import { listLedger } from './account/list-ledger.ts';
import { buyerContracts } from './buyers/contracts.ts';
import { lookupBuyer } from './buyers/lookup.ts';
import { buyerProfile } from './buyers/profile.ts';
import { listChanges } from './changes/list.ts';
import { companyContracts } from './companies/contracts.ts';
import { lookupCompany } from './companies/lookup.ts';
import { lookupCompanies } from './companies/lookup-many.ts';
import { companyProfile } from './companies/profile.ts';
import { contractDocuments } from './contracts/documents.ts';
import { lookupContract } from './contracts/lookup.ts';
import { summariseContracts } from './contracts/summarise.ts';
import { bulkExport } from './exports/bulk.ts';
import { getExport } from './exports/get.ts';
import { describeFilters } from './filters/describe.ts';
import { lookupFramework } from './frameworks/lookup.ts';
import { getNotice } from './notices/get.ts';
import { searchBuyers } from './search/buyers.ts';
import { searchCompanies } from './search/companies.ts';
import { searchContracts } from './search/contracts.ts';
import { searchFrameworks } from './search/frameworks.ts';
import { searchNotices } from './search/notices.ts';
import { searchTenders } from './search/tenders.ts';
import { getStatus } from './status/get.ts';

/** What goes out: one row per thing a customer can ask for. Routes, tools, OpenAPI and price lists are derived from it. */
export const operations: readonly Operation[] = [
  searchNotices,
  searchTenders,
  getNotice,
  // Before the contract of a notice, whose address would take its own.
  searchContracts,
  lookupContract,
  contractDocuments,
  summariseContracts,
  searchCompanies,
  lookupCompany,
  lookupCompanies,
  companyContracts,
  companyProfile,
  searchBuyers,
  lookupBuyer,
  buyerContracts,
  buyerProfile,
  searchFrameworks,
  lookupFramework,
  listChanges,
  bulkExport,
  getExport,
  describeFilters,
  getBalance,
  listLedger,
  getStatus,
];
