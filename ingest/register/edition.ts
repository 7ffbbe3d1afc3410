/** One edition of the bulk file: the month it is named for and its zips in order. */
export interface Edition {
  /** `YYYY-MM-DD`. */
  date: string;
  files: string[];
}

const PART = /BasicCompanyData-(\d{4}-\d{2}-\d{2})-part(\d+)_(\d+)\.zip/g;
const WHOLE = /BasicCompanyDataAsOneFile-(\d{4}-\d{2}-\d{2})\.zip/g;

/**
 * The newest whole edition that the download page links to: its parts where all are there, else the one file.
 * Null where the page names neither.
 */
export function readEdition(page: string): Edition | null {
  const editions = new Map<string, { parts: Map<number, string>; of: number; whole?: string }>();
  const edition = (date: string) => {
    const known = editions.get(date) ?? { parts: new Map<number, string>(), of: 0 };
    editions.set(date, known);
    return known;
  };
  for (const [file, date = '', part = '', of = ''] of page.matchAll(PART)) {
    const known = edition(date);
    known.parts.set(Number(part), file);
    known.of = Number(of);
  }
  for (const [file, date = ''] of page.matchAll(WHOLE)) edition(date).whole = file;
  for (const date of [...editions.keys()].sort().reverse()) {
    const { parts, of, whole } = edition(date);
    const files = Array.from({ length: of }, (_, index) => parts.get(index + 1) ?? '');
    if (of > 0 && files.every(Boolean)) return { date, files };
    if (whole) return { date, files: [whole] };
  }
  return null;
}
