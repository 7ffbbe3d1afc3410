import { z } from 'zod';
import * as companies from '../../schema/answers/company.ts';
import * as register from '../../schema/answers/register/record.ts';
import * as shapes from '../../schema/answers/shapes.ts';
import { BID_STATUSES } from '../../search/filters/index.ts';
import { describeAll } from '../answer/meanings/fields.ts';
import { answerOf, type JsonSchema, leaveOpen, omitted, refersTo } from '../answer/published-schema.ts';
import type { Operation } from '../contract/operation.ts';
import { ledgerLine } from '../operations/account/list-ledger.ts';
import * as buyers from '../operations/buyers/answer.ts';
import { briefItem, changedItem, supplierOfItem } from '../operations/changes/shapes.ts';
import { lookedUp, lookedUpCompany } from '../operations/companies/lookup-many.ts';
import * as contractItems from '../operations/contracts/item-shapes.ts';
import * as contracts from '../operations/contracts/shapes.ts';
import * as summaries from '../operations/contracts/sums.ts';
import * as exports from '../operations/exports/shapes.ts';
import { describedFilter, filterValue } from '../operations/filters/describe.ts';
import { unknownFilter } from '../operations/filters/known.ts';
import * as frameworks from '../operations/frameworks/answer.ts';
import * as notices from '../operations/notices/shapes.ts';
import { listedBuyer } from '../operations/search/buyers.ts';
import { companyStatus, listedCompany } from '../operations/search/companies.ts';
import * as foundContracts from '../operations/search/contract-shapes.ts';
import * as inputs from '../operations/search/inputs.ts';
import * as searches from '../operations/search/shapes.ts';
import { detailWord } from '../operations/shared/inputs.ts';
import * as noticed from '../operations/shared/notice-shapes.ts';
import * as successions from '../operations/shared/successions.ts';
import * as coverage from '../operations/status/coverage.ts';
import { engineLag, lastRun, sourceStatus, storedDays } from '../operations/status/get.ts';
import * as watches from '../operations/watches/shapes.ts';

/** Shapes that several answers share, under the names that generated clients use. */
const SHARED: Readonly<Record<string, z.ZodType>> = {
  Region: noticed.region,
  Match: shapes.match,
  MatchMethod: shapes.matchMethod,
  Supplier: noticed.supplier,
  SupplierName: contracts.supplierName,
  SupplierReference: contractItems.partner,
  SupplierLink: successions.supplierLink,
  Incumbent: successions.incumbent,
  Successor: successions.successor,
  Document: noticed.document,
  LinkKind: noticed.linkKind,
  Stage: noticed.stage,
  NoticeStatus: noticed.noticeStatus,
  Nation: noticed.nation,
  NoticeReference: noticed.noticeReference,
  RelatedProcess: noticed.related,
  Lot: noticed.lot,
  AwardCriterion: noticed.awardCriterion,
  ParticipationFee: noticed.participationFee,
  SelectionCriterion: noticed.selectionCriterion,
  BriefItem: briefItem,
  ChangedItem: changedItem,
  SupplierOfItem: supplierOfItem,
  ListedBuyer: listedBuyer,
  ListedCompany: listedCompany,
  CompanyStatus: companyStatus,
  LookedUpCompany: lookedUp,
  BriefCompany: lookedUpCompany,
  Identifier: shapes.publishedIdentifier,
  PublishedName: shapes.publishedName,
  Candidate: shapes.candidate,
  CurrencySum: shapes.currencySum,
  Count: shapes.counted,
  Totals: shapes.totals,
  YearTotal: shapes.yearTotal,
  Counterparty: shapes.counterparty,
  FrameworkReference: shapes.frameworkReference,
  NoticeDates: notices.noticeDates,
  HowToApply: notices.howToApply,
  CpvCode: noticed.cpvCode,
  Procedure: noticed.procedure,
  Bids: noticed.bids,
  LotBids: noticed.lotBids,
  LosingBidder: noticed.losingBidder,
  BriefBids: noticed.briefBids,
  Justification: noticed.justification,
  Kpi: noticed.kpi,
  KpiResult: noticed.kpiResult,
  Award: contracts.award,
  AwardLot: contracts.awardLot,
  AmountApart: contracts.amountApart,
  ContractChange: contracts.contractChange,
  FinalValue: contracts.finalValue,
  ContractHistoryStep: contracts.historyStep,
  FrameworkLink: contracts.frameworkLink,
  ContractStatus: contracts.contractStatus,
  StatedContractStatus: contracts.statedContractStatus,
  FrameworkRole: contracts.frameworkRole,
  ValueBasis: contracts.valueBasis,
  ValueClass: contracts.valueClass,
  CountedAs: contracts.countedAs,
  EndsBasis: contracts.endsBasis,
  EndsLatestBasis: contracts.endsLatestBasis,
  ContractGrouping: summaries.grouping,
  ContractMeasure: summaries.measure,
  ContractSums: summaries.contractSums,
  ContractGroup: summaries.contractGroup,
  SecondGroup: summaries.secondGroup,
  SummaryMeta: summaries.summaryMeta,
  WonContract: contractItems.wonItem,
  WonContracts: contractItems.wonContracts,
  IssuedContract: contractItems.issuedItem,
  IssuedContracts: buyers.issuedContracts,
  CompanyCore: companies.companyCore,
  SmeSource: companies.smeSource,
  RegisterAddress: register.registerAddress,
  RegisterAccounts: register.accounts,
  RegisterFiling: register.filing,
  RegisterMortgages: register.mortgages,
  RegisterAnnotation: register.annotation,
  ForeignCompany: register.foreignCompany,
  CompanyBranch: register.branch,
  LimitedPartnerships: register.limitedPartnerships,
  PreviousName: register.previousName,
  SicCode: register.codedValue,
  BuyerCore: buyers.buyerCore,
  BuyerAddress: buyers.buyerAddress,
  BuyerScope: buyers.buyerScope,
  BuyerKind: buyers.buyerKind,
  BuyerKindSource: buyers.buyerKindSource,
  FrameworkKind: frameworks.frameworkKind,
  CeilingSource: frameworks.ceilingSource,
  FrameworkLot: frameworks.frameworkLot,
  FrameworkItem: frameworks.frameworkItem,
  NoticeItem: searches.noticeItem,
  TenderItem: searches.tenderItem,
  SearchMeta: searches.searchMeta,
  SearchEngine: searches.searchEngine,
  SearchSort: searches.searchSort,
  NoticeSort: searches.noticeSort,
  ContractSort: searches.contractSort,
  FrameworkSort: searches.frameworkSort,
  ContractItem: foundContracts.contractItem,
  WordsMatch: inputs.wordsMatch,
  BidStatus: z.enum(BID_STATUSES),
  Detail: detailWord,
  Failover: searches.failover,
  Correction: searches.correction,
  Rewording: searches.rewording,
  Facet: searches.facet,
  Facets: searches.facets,
  CountKind: shapes.countKind,
  FiltersUsed: shapes.filtersUsed,
  Watch: watches.watchShape,
  WatchCollection: watches.watchCollection,
  WatchRhythm: watches.watchRhythm,
  WatchAddress: watches.watchAddress,
  WatchEstimate: watches.watchEstimate,
  Delivery: watches.deliveryShape,
  UnknownType: coverage.unknownType,
  ExportStatus: exports.exportStatus,
  ExportDataset: exports.exportDataset,
  ExportFormat: exports.exportFormat,
  OmittedFields: omitted,
  UnknownFilter: unknownFilter,
  DescribedFilter: describedFilter,
  FilterValue: filterValue,
  SourceStatus: sourceStatus,
  SourceRun: lastRun,
  SourceCoverage: storedDays,
  SearchEngineLag: engineLag,
  SourceGaps: coverage.gaps,
  SourceProbes: coverage.probes,
  SourceDay: coverage.coverageDay,
  NoticeNumbers: coverage.noticeNumbers,
  TimeSpan: coverage.span,
  LedgerLine: ledgerLine,
};

/** Answers named after the thing that they describe; any other is named after its operation. */
const ANSWERS: Readonly<Record<string, string>> = {
  search_notices: 'NoticeSearchResult',
  search_tenders: 'TenderSearchResult',
  search_frameworks: 'FrameworkSearchResult',
  search_contracts: 'ContractSearchResult',
  get_notice: 'Notice',
  lookup_contract: 'Contract',
  contract_documents: 'ContractDocuments',
  search_companies: 'CompanyList',
  lookup_company: 'Company',
  lookup_companies: 'Companies',
  company_contracts: 'CompanyContracts',
  company_profile: 'CompanyProfile',
  search_buyers: 'BuyerList',
  lookup_buyer: 'Buyer',
  buyer_contracts: 'BuyerContracts',
  buyer_profile: 'BuyerProfile',
  lookup_framework: 'Framework',
  describe_filters: 'Filters',
  bulk_export: 'ExportOrQuote',
  get_export: 'Export',
  get_balance: 'Balance',
  list_ledger: 'Ledger',
  get_status: 'Status',
};

/** The components for the values of an input, by the input's name: inputs with the same name may take different values in different operations. */
const INPUT_VALUES: Readonly<Record<string, readonly string[]>> = {
  detail: ['Detail'],
  match: ['WordsMatch'],
  sort: ['SearchSort', 'NoticeSort', 'ContractSort', 'FrameworkSort'],
  status: ['BidStatus'],
  dataset: ['ExportDataset'],
  format: ['ExportFormat'],
};

/** An input's schema, with its values as a component where there is one. */
export function referInput(name: string, schema: JsonSchema): JsonSchema {
  const component = INPUT_VALUES[name]?.find((each) => {
    const known = SHARED[each];
    return known instanceof z.ZodEnum && String(known.options) === String(schema.enum);
  });
  if (component === undefined) return schema;
  const { enum: _values, type: _type, ...rest } = schema;
  return { $ref: refersTo(component), ...rest };
}

/** The name of an operation's answer among the components: `Company`, or `LookupThingAnswer` for one without a name of its own. */
export function answerName({ name }: Pick<Operation, 'name'>): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return ANSWERS[name] ?? `${words.join('')}Answer`;
}

/** The answers of these operations and all their shared shapes, by name, each once. */
export function answerComponents(operations: readonly Operation[]): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SHARED)) registry.add(schema, { id });
  // Something that is only a tool has no address.
  for (const operation of operations.filter(({ bindings }) => bindings.length > 0))
    registry.add(answerOf(operation), { id: answerName(operation) });
  const { schemas } = z.toJSONSchema(registry, {
    uri: refersTo,
    io: 'output',
    unrepresentable: 'any',
    override: leaveOpen,
  });
  return describeAll(
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutAddress(schema)])),
  );
}

/** A component's address is its place in the document. */
function withoutAddress({ $id: _address, $schema: _dialect, ...schema }: z.core.JSONSchema.BaseSchema): JsonSchema {
  return schema as JsonSchema;
}
