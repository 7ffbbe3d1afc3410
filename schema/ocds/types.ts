import type { OcdsBidding, OcdsBids, OcdsBidTerms } from './bidding.ts';

/** The part of OCDS 1.0 and 1.1 (EU profile, UK extension) that we read. Every field may be absent; lists never are. */
export interface OcdsValue {
  amount?: number;
  amountGross?: number;
  currency?: string;
  /** The published text of an amount that is not a number. */
  unreadable?: string;
}
export interface OcdsPeriod {
  startDate?: string;
  endDate?: string;
  maxExtentDate?: string;
  durationInDays?: number;
  durationInMonths?: number;
  /** The published text where it is neither two days nor a length. */
  unreadable?: string;
}
export interface OcdsIdentifier {
  scheme?: string;
  id?: string;
  legalName?: string;
}
export interface OcdsClassification {
  scheme?: string;
  id?: string;
  description?: string;
}
export interface OcdsAddress {
  streetAddress?: string;
  locality?: string;
  region?: string;
  postalCode?: string;
  country?: string;
  countryName?: string;
  description?: string;
}
export interface OcdsParty {
  id?: string;
  name?: string;
  identifier?: OcdsIdentifier;
  additionalIdentifiers: OcdsIdentifier[];
  address?: OcdsAddress;
  roles: string[];
  url?: string;
  scale?: string;
  vcse?: boolean;
  classifications: OcdsClassification[];
  /** The id published for it and for different parties; its own is derived from that. */
  sharedId?: string;
}
export interface OcdsReference {
  id?: string;
  name?: string;
}
export interface OcdsDocument {
  id?: string;
  documentType?: string;
  noticeType?: string;
  title?: string;
  description?: string;
  url?: string;
  datePublished?: string;
  language?: string;
}
export interface OcdsItem {
  classifications: OcdsClassification[];
  addresses: OcdsAddress[];
  relatedLot?: string;
}
/** How something may be extended, and what else may be bought, in words. */
export interface OcdsExtensions {
  renewal?: string;
  options?: string;
}
export interface OcdsLot extends OcdsExtensions, OcdsBidding {
  id?: string;
  title?: string;
  description?: string;
  status?: string;
  value?: OcdsValue;
  contractPeriod?: OcdsPeriod;
  /** How many are invited to bid, where only some are. */
  minimumCandidates?: number;
  maximumCandidates?: number;
}
export interface OcdsAmendment {
  id?: string;
  date?: string;
  description?: string;
  /** Codes of the grounds on which it is lawful (UK extension). */
  reasons: string[];
  /** Of the amended contract (UK extension). */
  value?: OcdsValue;
  period?: OcdsPeriod;
  suppliersAdded: OcdsReference[];
  suppliersRemoved: OcdsReference[];
}
export interface OcdsAward extends OcdsExtensions {
  id?: string;
  title?: string;
  description?: string;
  status?: string;
  /** Of what ended: why, in words. */
  statusDetails?: string;
  date?: string;
  value?: OcdsValue;
  suppliers: OcdsReference[];
  items: OcdsItem[];
  relatedLots: string[];
  contractPeriod?: OcdsPeriod;
  standstillPeriods: OcdsPeriod[];
  /** When its contract is to be signed. */
  signatureDue?: string;
  documents: OcdsDocument[];
  amendments: OcdsAmendment[];
  category?: string;
  aboveThreshold?: boolean;
}
/** A key performance indicator, with what was observed of it. */
export interface OcdsMetric {
  id?: string;
  title?: string;
  description?: string;
  observations: { period?: OcdsPeriod; measure?: string; rating?: string }[];
}
export interface OcdsContract extends OcdsExtensions {
  id?: string;
  awardID?: string;
  title?: string;
  description?: string;
  status?: string;
  statusDetails?: string;
  period?: OcdsPeriod;
  value?: OcdsValue;
  dateSigned?: string;
  finalStatusDate?: string;
  /** The day on which it really ended, and what it cost in the end (contract completion extension). */
  endedOn?: string;
  finalValue?: OcdsValue;
  /** What was agreed to be measured, or why nothing was (UK extension), and what was measured. */
  agreedMetrics: OcdsMetric[];
  noMetricsReason?: string;
  metrics: OcdsMetric[];
  /** What its suppliers failed to do, and what followed, in words (UK extension). */
  failures: string[];
  /** Codes of the reasons for its termination (UK extension). */
  endReasons: string[];
  documents: OcdsDocument[];
  amendments: OcdsAmendment[];
  /** Not yet signed, and so no changes (UK extension). */
  proposedAmendments: OcdsAmendment[];
  items: OcdsItem[];
  /** Not part of OCDS, but published: read where the award names nobody. */
  suppliers: OcdsReference[];
  relatedProcesses: OcdsRelatedProcess[];
  aboveThreshold?: boolean;
}
export interface OcdsTechniques {
  framework?: boolean;
  dynamicPurchasing?: boolean;
  /** Of the dynamic market itself (EU profile): `terminated` once it has ended. */
  marketStatus?: string;
  method?: string;
  type?: string;
  description?: string;
  buyerCategories?: string;
  maximumParticipants?: number;
  period?: OcdsPeriod;
  openScheme?: { ends?: string | undefined };
  /** Which buyers may use it, by kind and by place. */
  buyerRestrictions: OcdsClassification[];
}
/** Its own terms of bidding are those of the whole; each of its lots may have others. */
export interface OcdsTender extends OcdsBidding, OcdsBidTerms {
  id?: string;
  title?: string;
  description?: string;
  status?: string;
  datePublished?: string;
  legalBasis?: string;
  /** When it reached its final status (UK extension). */
  finalStatusDate?: string;
  /** The main one first. */
  classifications: OcdsClassification[];
  items: OcdsItem[];
  /** Places of delivery of the whole, besides those of its items. */
  addresses: OcdsAddress[];
  lots: OcdsLot[];
  value?: OcdsValue;
  minValue?: OcdsValue;
  procurementMethodDetails?: string;
  procurementMethod?: string;
  /** Why it was awarded as it was, above all without competition. */
  methodRationale?: string;
  methodGrounds: OcdsClassification[];
  category?: string;
  tenderPeriod?: OcdsPeriod;
  enquiryPeriod?: OcdsPeriod;
  awardPeriod?: OcdsPeriod;
  /** How long bids stay valid. */
  bidValidity?: OcdsPeriod;
  contractPeriod?: OcdsPeriod;
  expressionOfInterestDeadline?: string;
  futureNoticeDate?: string;
  /** When those chosen are invited to bid, where only some are. */
  invitationDate?: string;
  submissionMethodDetails?: string;
  submissionMethods: string[];
  techniques?: OcdsTechniques;
  documents: OcdsDocument[];
  /** What a notice changes of those before it. */
  amendments: OcdsAmendment[];
  aboveThreshold?: boolean;
  specialRegimes: string[];
  /** Treaties, such as `GPA`. */
  coveredBy: string[];
}
export interface OcdsRelatedProcess {
  relationship: string[];
  title?: string;
  scheme?: string;
  identifier?: string;
}
export interface OcdsRelease {
  ocid?: string;
  id?: string;
  date?: string;
  tag: string[];
  title?: string;
  description?: string;
  buyer?: OcdsParty;
  parties: OcdsParty[];
  planningDocuments: OcdsDocument[];
  /** When the engagement with the market ends, how it is done, and why no notice of it was published, in words. */
  engagementEnds?: string;
  engagement?: string;
  noEngagementReason?: string;
  tender: OcdsTender;
  awards: OcdsAward[];
  contracts: OcdsContract[];
  relatedProcesses: OcdsRelatedProcess[];
  bids: OcdsBids;
  /** Address of the package that contained a lone old Contracts Finder release: the only place that names its notice. */
  packageUri?: string;
  /** Names of its notice, where its service has several; the first is the notice's id. */
  noticeNames: string[];
  links: { rel: string | undefined; href: string }[];
}
