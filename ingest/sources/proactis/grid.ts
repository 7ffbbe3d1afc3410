import type { Cell, CellsSource } from '../../source.ts';

/** Month and type of an address must be exact, or the service answers a different question: it ignores what it cannot parse. */
const MONTH = /^(0[1-9]|1[0-2])-(\d{4})$/;

/** Notice types of the forms under the EU directives, which both services number alike; most frequent first. */
export const DIRECTIVE_TYPES: CellsSource['types'] = [
  { type: '2', title: 'Contract notice (F2)' },
  { type: '3', title: 'Contract award notice (F3)' },
  { type: '1', title: 'Prior information notice (F1)' },
  { type: '21', title: 'Social and other specific services (F21)' },
  { type: '14', title: 'Corrigendum (F14)' },
  { type: '15', title: 'Voluntary ex ante transparency notice (F15)' },
  { type: '20', title: 'Modification notice (F20)' },
  { type: '5', title: 'Contract notice, utilities (F5)' },
  { type: '6', title: 'Contract award notice, utilities (F6)' },
  { type: '4', title: 'Prior information notice, utilities (F4)' },
  { type: '7', title: 'Qualification system, utilities (F7)' },
  { type: '12', title: 'Design contest (F12)' },
  { type: '13', title: 'Results of a design contest (F13)' },
  { type: '22', title: 'Social and other specific services, utilities (F22)' },
  { type: '23', title: 'Social and other specific services, concessions (F23)' },
  { type: '24', title: 'Concession notice (F24)' },
  { type: '25', title: 'Concession award notice (F25)' },
];

/** The address of one cell. Type and output are always given: without them the service answers with type 2. */
export function cellUrl(base: string, { month, type }: Cell, more: Record<string, string> = {}): string {
  const [year, number] = month.split('-');
  const query = new URLSearchParams({ dateFrom: `${number}-${year}`, noticeType: type, outputType: '0', ...more });
  return `${base}/v1/Notices?${query}`;
}

/** The cell that an address asks for; null for any other address. */
export function readCell(url: string): Cell | null {
  if (!URL.canParse(url)) return null;
  const query = new URL(url).searchParams;
  const [, month, year] = MONTH.exec(query.get('dateFrom') ?? '') ?? [];
  const type = query.get('noticeType');
  return month && year && type ? { month: `${year}-${month}`, type } : null;
}
