import { londonDate } from '../../schema/config/clocks.ts';
import { formatMoney } from '../../schema/text/money.ts';
import { escapeHtml } from '../../search/results/highlight.ts';

/** One change as a delivery lists it. A removed row has no `item`, nor has what was taken down since. */
export interface DeliveredItem {
  kind: 'notice' | 'contract';
  id: string;
  change: 'new' | 'updated' | 'gone' | 'left';
  item?: Readonly<Record<string, unknown>>;
}

/** A mail's two bodies. */
interface Laid {
  text: string;
  html: string;
}

interface Digest {
  /** Name of the watch. */
  name: string;
  items: readonly DeliveredItem[];
  /** Public address of the web pages. */
  appUrl: string;
  /** Where its owner changes the watch, and where one click stops its mails. */
  manageUrl: string;
  stopUrl: string;
  /** The attribution that the publishers of the items require. */
  attribution: string;
}

const HEADINGS = { new: 'New', updated: 'Changed', gone: 'No longer there' } as const;
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The changes of a watch as a mail: new items first, each with the facts that show whether it matters to the reader. */
export function layDigest({ name, items, appUrl, ...ends }: Digest): Laid {
  const sections = Object.entries(HEADINGS).flatMap(([change, heading]) => {
    const lines = items
      .filter((one) => (one.change === 'left' ? 'gone' : one.change) === change)
      .map((one) => describeItem(one, appUrl));
    return lines.length === 0 ? [] : [{ heading: `${heading} (${lines.length})`, lines }];
  });
  const footer = [`Change this watch: ${ends.manageUrl}`, `End these mails: ${ends.stopUrl}`, '', ends.attribution];
  const text = [
    name,
    ...sections.flatMap(({ heading, lines }) => [
      '',
      heading,
      ...lines.flatMap(({ title, facts, url }) => ['', title, ...(facts ? [facts] : []), ...(url ? [url] : [])]),
    ]),
    '',
    '-- ',
    ...footer,
    '',
  ].join('\n');
  return { text, html: layHtml(name, sections, ends) };
}

interface Line {
  title: string;
  facts: string;
  /** Absent where there is no item. */
  url?: string;
}

function describeItem({ kind, id, change, item }: DeliveredItem, appUrl: string): Line {
  if (change === 'gone') return { title: `The ${kind} ${id}`, facts: 'It was removed.' };
  if (change === 'left') return { title: `The ${kind} ${id}`, facts: 'It no longer matches this watch.' };
  if (!item) return { title: `The ${kind} ${id}`, facts: 'Its details were taken down.' };
  const [folder, page] = kind === 'notice' ? ['notices', String(item.notice_id ?? id)] : ['contracts', id];
  const url = `${appUrl}/${folder}/${encodeURIComponent(page)}`;
  const facts = [
    item.buyer,
    kind === 'contract' ? item.supplier : undefined,
    typeof item.value === 'number' && typeof item.currency === 'string'
      ? formatMoney(item.value, item.currency)
      : undefined,
    named('deadline', item.deadline),
    named('tender expected', item.tender_expected),
    kind === 'contract' ? named('ends', item.ends) : named('published', item.published),
  ];
  const there = facts.filter((fact): fact is string => typeof fact === 'string' && fact !== '');
  return { title: String(item.title ?? id), facts: there.join(' · '), url };
}

function named(label: string, day: unknown): string | undefined {
  if (typeof day !== 'string' || Number.isNaN(Date.parse(day))) return undefined;
  const date = day.length > 10 ? londonDate(new Date(day)) : day;
  return `${label} ${DAY.format(new Date(`${date}T00:00:00Z`))}`;
}

/** Inline styles and one column: mail programs drop style sheets, and many are on a phone. */
function layHtml(
  name: string,
  sections: readonly { heading: string; lines: readonly Line[] }[],
  { manageUrl, stopUrl, attribution }: Pick<Digest, 'manageUrl' | 'stopUrl' | 'attribution'>,
): string {
  const item = ({ title, facts, url }: Line) => {
    const heading = url
      ? `<a href="${escapeHtml(url)}" style="color:#1d4ed8">${escapeHtml(title)}</a>`
      : escapeHtml(title);
    return `<p style="margin:0 0 16px"><strong>${heading}</strong><br><span style="color:#475569">${escapeHtml(facts)}</span></p>`;
  };
  const section = ({ heading, lines }: { heading: string; lines: readonly Line[] }) =>
    `<h2 style="font-size:16px;margin:24px 0 12px">${escapeHtml(heading)}</h2>${lines.map(item).join('')}`;
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(name)}</title></head>
<body style="margin:0;padding:16px;background:#fff;color:#0f172a;font:16px/1.5 system-ui,sans-serif"><div style="max-width:600px;margin:0 auto">
<h1 style="font-size:20px;margin:0">${escapeHtml(name)}</h1>${sections.map(section).join('')}
<p style="margin:32px 0 0;padding-top:12px;border-top:1px solid #cbd5e1;font-size:14px"><a href="${escapeHtml(manageUrl)}">Change this watch</a> · <a href="${escapeHtml(stopUrl)}">End these mails</a></p>
<p style="margin:12px 0 0;color:#475569;font-size:12px">${escapeHtml(attribution)}</p>
</div></body></html>
`;
}
