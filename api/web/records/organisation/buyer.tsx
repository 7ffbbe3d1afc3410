import type { z } from 'zod';
import type { buyerProfileAnswer } from '../../../operations/buyers/answer.ts';
import { labelBuyerKind, labelPlain } from '../../components/labels.ts';
import { Heading, joinTitle, type Page } from '../../components/layout.tsx';
import { buyerPath, companyPath, safeLink, withQuery } from '../../components/links.ts';
import { type Fact, Facts, Outward, Pages } from '../../components/parts.tsx';
import { IssuedTable, SORT_SCRIPT } from '../contract-list.tsx';
import { Licence, NoticeLinks } from '../provenance.tsx';
import { Buying } from './own-sums.tsx';
import { Lead, Overview, Published, type ShownWith, toPublished, toPublishedNames } from './parts.tsx';

type Profile = z.input<typeof buyerProfileAnswer>;

/** What a public body buys, from whom and how, and its contracts. */
export function buyerPage(profile: Profile, { now, cursor, sums }: ShownWith): Page {
  const { core, contracts } = profile;
  const path = buyerPath(core.buyer_id);
  return {
    title: joinTitle(core.name, cursor && 'further contracts'),
    description: `What ${core.name} buys, and from whom`,
    section: 'buyers',
    scripts: [SORT_SCRIPT],
    body: (
      <article>
        <Heading kind="Buyer" title={core.name}>
          <Lead words={[core.kind && labelBuyerKind(core.kind), core.region]} />
          <p>
            <a href={withQuery('/notices', { buyer_id: core.buyer_id })}>Its notices</a> ·{' '}
            <a href={withQuery('/tenders', { query: '*', buyer_id: core.buyer_id })}>Its live tenders</a> ·{' '}
            <a href={withQuery('/buyers', { query: core.name })}>Other buyers with this name</a>
          </p>
        </Heading>
        {!cursor && (
          <Overview
            profile={profile}
            count={contracts.contract_count}
            places={contracts.framework_places}
            verb="issued"
            years="Spending by year"
            parties={{ title: 'Most frequent suppliers', parties: profile.top_suppliers, path: companyPath }}
            now={now}
          />
        )}
        <Buying sums={sums} id={core.buyer_id} />
        <section>
          <h2 id="contracts">Contracts, newest first</h2>
          {contracts.items.length === 0 ? <p>None found.</p> : <IssuedTable items={contracts.items} />}
          <Pages path={path} query={cursor ? { cursor } : {}} next={contracts.next_cursor} />
        </section>
        {!cursor && <About core={core} />}
      </article>
    ),
  };
}

/** Its names and identifiers, with the notices that state them. */
function About({ core }: { core: Profile['core'] }) {
  const { address, kind_source } = core;
  const names = toPublishedNames(core);
  const identifiers = (core.identifiers ?? []).map(toPublished);
  const facts: Fact[] = [
    ['Region', core.region],
    ['Remit', core.scope && labelPlain(core.scope)],
    [
      'Kind',
      core.kind && [labelBuyerKind(core.kind), kind_source && ` (by its ${labelPlain(kind_source).toLowerCase()})`],
    ],
    [
      'Address',
      address && [address.street, address.locality, address.postcode, address.country].filter(Boolean).join(', '),
    ],
    ['Names', names.length > 0 && <Published things={names} />],
    ['Identifiers', identifiers.length > 0 && <Published things={identifiers} />],
    ['Website', core.url && <Outward href={safeLink(core.url)}>{core.url}</Outward>],
  ];
  return (
    <section class="provenance">
      <h2>Where this comes from</h2>
      <p>Compiled from its published notices, which are authoritative.</p>
      <NoticeLinks title="Notices of its newest contracts" ids={core.notice_ids} />
      <Facts facts={facts} />
      <Licence />
    </section>
  );
}
