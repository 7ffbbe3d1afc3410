import type { Operation } from '../operation.ts';
import { bulkExport } from './bulk-export.ts';
import { buyerContracts } from './buyer-contracts.ts';
import { buyerProfile } from './buyer-profile.ts';
import { companyContracts } from './company-contracts.ts';
import { companyProfile } from './company-profile.ts';
import { contractDocuments } from './contract-documents.ts';
import { getBalance } from './get-balance.ts';
import { getExport } from './get-export.ts';
import { getNotice } from './get-notice.ts';
import { getStatus } from './get-status.ts';
import { listLedger } from './list-ledger.ts';
import { lookupBuyer } from './lookup-buyer.ts';
import { lookupCompany } from './lookup-company.ts';
import { lookupContract } from './lookup-contract.ts';
import { lookupFramework } from './lookup-framework.ts';
import { searchFrameworks } from './search-frameworks.ts';
import { searchNotices } from './search-notices.ts';
import { searchTenders } from './search-tenders.ts';

/** What goes out: one row per thing a customer can ask for. Routes, tools, OpenAPI and price lists are derived from it. */
export const operations: readonly Operation[] = [
  searchNotices,
  searchTenders,
  getNotice,
  lookupContract,
  contractDocuments,
  lookupCompany,
  companyContracts,
  companyProfile,
  lookupBuyer,
  buyerContracts,
  buyerProfile,
  searchFrameworks,
  lookupFramework,
  bulkExport,
  getExport,
  getBalance,
  listLedger,
  getStatus,
];
