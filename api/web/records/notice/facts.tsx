import type { z } from 'zod';
import type { noticeAnswer } from '../../../operations/notices/shapes.ts';
import { splitParagraphs } from '../../components/format.ts';
import { labelPlain } from '../../components/labels.ts';
import { contractPath, safeLink } from '../../components/links.ts';
import { Outward } from '../../components/parts.tsx';
import { SourceTitle } from '../../components/source-title.ts';
import { Cpv, Unfolding } from '../parts.tsx';

type Notice = z.input<typeof noticeAnswer>;

/** The CPV codes. Of very many, the first are visible and the rest unfold. */
export function Cpvs({ cpvs }: { cpvs: NonNullable<Notice['cpvs']> }) {
  const items = cpvs.map(({ code, description }) => (
    <li key={code}>
      <Cpv code={code} name={description} />
    </li>
  ));
  return <Unfolding items={items} />;
}

interface ApplyProps {
  how: Notice['how_to_apply'];
  live: boolean;
  url: string | undefined;
  source: string;
}

/** How to bid, in the publisher's words, with links to the address and the official notice. */
export function Apply({ how, live, url, source }: ApplyProps) {
  const details = how?.details && how.details !== how.url ? splitParagraphs(how.details) : [];
  if (!live && !how?.url && !how?.method && details.length === 0) return null;
  const isMentioned = how?.url && details.some((paragraph) => paragraph.includes(how.url ?? ''));
  const official = safeLink(url);
  return (
    <section class={live ? 'apply live' : 'apply'}>
      <h2>How to apply</h2>
      {!live && <p class="muted">It is not open for bids at the moment; this is what the notice said.</p>}
      {details.map((paragraph, at) => (
        <p key={at}>
          <WithLink text={paragraph} address={how?.url} />
        </p>
      ))}
      {how?.method && <p>{labelPlain(how.method)}</p>}
      {how?.url && !isMentioned && (
        <p>
          <Outward href={safeLink(how.url)}>{how.url}</Outward>
        </p>
      )}
      {live && official && (
        <p>
          <Outward href={official}>
            The official notice on <SourceTitle id={source} />
          </Outward>{' '}
          is authoritative.
        </p>
      )}
    </section>
  );
}

/** A text with one known address as a link. */
function WithLink({ text, address }: { text: string; address: string | null | undefined }) {
  const at = address ? text.indexOf(address) : -1;
  if (!address || at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <Outward href={safeLink(address)}>{address}</Outward>
      {text.slice(at + address.length)}
    </>
  );
}

/** Links to the contracts of the process. */
export function ContractLinks({ notice }: { notice: Notice }) {
  const ids = notice.contract_ids ?? [];
  const [only] = ids;
  if (ids.length === 1 && only) return <a href={contractPath(only)}>The contract that resulted</a>;
  return <a href={contractPath(notice.notice_id)}>The {ids.length} contracts that resulted</a>;
}
