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
import { createWatch } from './watches/create-watch.ts';
import { deleteWatch } from './watches/delete-watch.ts';
import { getWatch } from './watches/get-watch.ts';
import { listWatches } from './watches/list.ts';
import { listDeliveries } from './watches/list-deliveries.ts';
import { manageWatch } from './watches/manage-watch.ts';
import { retryDelivery } from './watches/retry-delivery.ts';
import { testWatch } from './watches/test-watch.ts';
import { updateWatch } from './watches/update-watch.ts';

/** What goes out: one row per thing a customer can request. Routes, tools, OpenAPI and price lists are derived from it. */
export const operations: readonly Operation[] = [
  searchNotices,
  searchTenders,
  getNotice,
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
  createWatch,
  listWatches,
  getWatch,
  updateWatch,
  testWatch,
  listDeliveries,
  retryDelivery,
  deleteWatch,
  manageWatch,
  getBalance,
  listLedger,
  getStatus,
];
