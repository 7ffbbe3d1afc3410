import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import { LICENCE_URL } from '../../../schema/reference/licence.ts';
import type { noticeReference } from '../../operations/shared/notice-shapes.ts';
import type { Fetched } from '../../reads/processes.ts';
import { formatDay, formatInstant, formatNumbered } from '../components/format.ts';
import { noticePath, safeLink, shortId } from '../components/links.ts';
import { Outward } from '../components/parts.tsx';
import type { PageContext } from '../components/source-title.ts';

const NOTICES_OPEN = 8;

/** What a page says of a record that its answer does not contain. */
export interface Known {
  /** The catalogue's current instant. */
  now: Date;
  fetched: Fetched | null;
  /** What its main CPV code means; undefined where no notice says so. */
  cpvName?: string | undefined;
}

interface ProvenanceProps {
  /** The official page of the record. */
  url?: string | null | undefined;
  source: string;
  ocid: string;
  /** The notices that the record was compiled from, oldest first. */
  notices?: readonly z.input<typeof noticeReference>[];
  fetched: Fetched | null;
  children?: ComponentChildren;
}

/** The provenance of a record: the official notices, when we fetched them, and the licence. */
export function Provenance(props: ProvenanceProps, { titles }: PageContext) {
  const { url, source, ocid, notices = [], fetched, children } = props;
  const official = safeLink(url);
  const service = titles.get(source) ?? source;
  const linked = notices.flatMap(({ notice_id, url, published }) => {
    const href = safeLink(url);
    return href ? [{ notice_id, href, published }] : [];
  });
  return (
    <section class="provenance">
      <h2>Where this comes from</h2>
      <p>
        {official ? (
          <>
            <Outward href={official}>The official notice on {service}</Outward> is authoritative; this page is compiled
            from it.
          </>
        ) : (
          <>Compiled from notices published on {service}, which are authoritative.</>
        )}
      </p>
      {children}
      {linked.length > 1 && <Officials notices={linked} service={service} />}
      <p class="muted small">
        Open Contracting ID <code>{ocid}</code>
        {fetched && `: ${describeFetched(fetched, service)}`}
      </p>
      <Licence />
    </section>
  );
}

/** The notices that a record was compiled from, as links to our pages. */
export function NoticeLinks({ ids, title }: { ids: readonly string[] | undefined; title: string }) {
  if (!ids || ids.length === 0) return null;
  return (
    <p>
      {title}:{' '}
      {ids.slice(-NOTICES_OPEN).map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <a href={noticePath(id)}>{shortId(id)}</a>
        </span>
      ))}
      {ids.length > NOTICES_OPEN && ` and ${ids.length - NOTICES_OPEN} earlier`}.
    </p>
  );
}

/** The licence of the published data. */
export function Licence() {
  return (
    <p class="muted small">
      Contains public sector information licensed under the <a href={LICENCE_URL}>Open Government Licence v3.0</a>.
    </p>
  );
}

function describeFetched({ releases, last }: Fetched, service: string): string {
  return `${formatNumbered(releases, 'release')} held as ${service} published ${releases === 1 ? 'it' : 'them'}, last fetched ${formatInstant(last)}, London time.`;
}

interface Official {
  notice_id: string;
  href: string;
  published: string;
}

function Officials({ notices, service }: { notices: readonly Official[]; service: string }) {
  const [newest, earlier] = [notices.toReversed().slice(0, NOTICES_OPEN), notices.toReversed().slice(NOTICES_OPEN)];
  return (
    <>
      <p>
        All of its notices on {service}: <OfficialLinks notices={newest} />
      </p>
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier</summary>
          <p>
            <OfficialLinks notices={earlier} />
          </p>
        </details>
      )}
    </>
  );
}

function OfficialLinks({ notices }: { notices: readonly Official[] }) {
  return notices.map(({ notice_id, href, published }, at) => (
    <span key={href}>
      {at > 0 && ', '}
      <Outward href={href}>{notice_id.length <= 16 ? notice_id : formatDay(published)}</Outward>
    </span>
  ));
}
