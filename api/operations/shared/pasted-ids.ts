/** Identifiers as they are pasted: the address of an official page or of one of ours, the same number in another writing. */

/** Six digits and a year, with any separator. */
const NUMBER = /^#?(\d{6})\s*[-\u2010-\u2015\u2212/]\s*(20\d{2})$/;
/** As notices of Find a Tender print it: `2026/S 000-012345`. */
const PRINTED = /^(20\d{2})\/S\s*0{3}\s*[-\u2010-\u2015]\s*(\d{6})$/i;
/** The unique number of a public body without the scheme before it. */
const PPON = /^P[A-Z]{3}-\d{4}-[A-Z]{4}$/i;

/** A notice id, contract id or ocid. */
export function pastedNoticeId(text: string): string {
  const id = afterFolder(text, 'notices?|contracts?|tenders?|procurement|record');
  const [, number = '', year = ''] = NUMBER.exec(id) ?? [];
  if (number !== '') return `${number}-${year}`;
  const [, printedYear, printed] = PRINTED.exec(id) ?? [];
  return printed ? `${printed}-${printedYear}` : id;
}

/** A company number or company id. */
export function pastedCompanyNumber(text: string): string {
  return afterFolder(text, 'company|companies');
}

/** An identifier of a buyer. */
export function pastedBuyerId(text: string): string {
  const id = afterFolder(text, 'buyers?');
  return PPON.test(id) ? `GB-PPON-${id.toUpperCase()}` : id;
}

/** An id or reference of a framework, or a notice of it. */
export function pastedFrameworkId(text: string): string {
  const id = afterFolder(text, 'frameworks?');
  return id === text ? pastedNoticeId(text) : id;
}

/** What follows one of these folders in an address; the text itself where it is none. */
function afterFolder(text: string, folders: string): string {
  return new RegExp(`^(?:https?://.+/)?(?:${folders})(?:://|/)([^/?#]+)`, 'i').exec(text)?.[1] ?? text;
}
