import type { z } from 'zod';
import type { noticeReference, region, related, supplier } from '../operations/shared/shapes.ts';
import { formatDay } from './format.ts';
import { labelNoticeType, labelSource } from './labels.ts';
import { companyPath, noticePath, safeLink } from './links.ts';
import { Outward } from './parts.tsx';

/** Every notice of one process, oldest first: how it came to be what it is. */
export function NoticeTrail(props: { notices: z.input<typeof noticeReference>[]; current?: string }) {
  const { notices, current } = props;
  if (notices.length === 0) return null;
  return (
    <section>
      <h2>Notices of this process</h2>
      <ol class="trail">
        {notices.map(({ notice_id, notice_type, published }) => (
          <li key={notice_id + published} aria-current={notice_id === current ? 'true' : undefined}>
            <time dateTime={published}>{formatDay(published)}</time>
            {notice_id === current ? (
              <span>
                {labelNoticeType(notice_type)} <span class="muted">(this notice)</span>
              </span>
            ) : (
              <a href={noticePath(notice_id)}>{labelNoticeType(notice_type)}</a>
            )}
            <span class="muted small">{notice_id}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The same procurement on the other service, and how we know. */
export function Related({ related: found }: { related: z.input<typeof related>[] | undefined }) {
  if (!found || found.length === 0) return null;
  return (
    <section>
      <h2>The same procurement elsewhere</h2>
      <ul class="plain">
        {found.map(({ notice_id, title, source, published, match, counted_once }) => (
          <li key={notice_id}>
            <a href={noticePath(notice_id)}>{title}</a> on {labelSource(source)}
            {published && `, since ${formatDay(published)}`}
            <span class="muted small">
              {' '}
              {match.method === 'identifier' ? 'Named there' : `${Math.round(match.score * 100)}% sure`} (
              {match.evidence.join('; ')}). {counted_once ? 'Its awards are counted once.' : 'Counted apart.'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where a record comes from: the official notice first. */
export function Provenance(props: { url?: string | null | undefined; source: string; ocid?: string }) {
  const official = safeLink(props.url);
  return (
    <section class="provenance">
      <h2>Where this comes from</h2>
      <p>
        {official ? (
          <>
            <Outward href={official}>The official notice on {labelSource(props.source)}</Outward> is what counts; this
            page is compiled from it.
          </>
        ) : (
          <>Compiled from notices published on {labelSource(props.source)}, which are what counts.</>
        )}
      </p>
      {props.ocid && (
        <p class="muted small">
          Open Contracting ID <code>{props.ocid}</code>
        </p>
      )}
    </section>
  );
}

type Named = Pick<z.input<typeof supplier>, 'company_id' | 'name'>;
const NAMED_MOST = 4;

/** The first few suppliers by name, each a link, and how many more there are. */
export function SupplierNames({ suppliers }: { suppliers: readonly Named[] }) {
  const shown = suppliers.slice(0, NAMED_MOST);
  const more = suppliers.length - shown.length;
  return (
    <>
      {shown.map(({ company_id, name }, at) => (
        <span key={company_id}>
          {at > 0 && ', '}
          <a href={companyPath(company_id)}>{name}</a>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

/** Regions by name, once each, or null where none is held. */
export function nameRegions(
  regions: z.input<typeof region>[] | undefined,
  fallback?: string | null | undefined,
): string | null {
  const names = new Set(regions?.map(({ name, code }) => (code && code !== name ? `${name} (${code})` : name)));
  return names.size > 0 ? [...names].join(', ') : (fallback ?? null);
}
