import type { z } from 'zod';
import type { buyerProfileAnswer } from '../../../operations/buyers/answer.ts';
import { labelBuyerKind, labelPlain } from '../../components/labels.ts';
import { Heading, joinTitle, type Page } from '../../components/layout.tsx';
import { buyerPath, companyPath, withQuery } from '../../components/links.ts';
import { type Fact, Pages } from '../../components/parts.tsx';
import { IssuedTable, SORT_SCRIPT } from '../contract-list.tsx';
import { Buying } from './own-sums.tsx';
import { About, Lead, Overview, type ShownWith } from './parts.tsx';

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
            <a href={withQuery('/buyers', { query: core.name })}>Search for others with this name</a>
          </p>
        </Heading>
        {!cursor && (
          <Overview
            profile={profile}
            count={contracts.contract_count}
            places={contracts.framework_places}
            verb="issued"
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
        {!cursor && (
          <About
            core={core}
            words={COMPILED}
            facts={factsOf(core)}
            awards={contracts.contract_count + contracts.framework_places}
          />
        )}
      </article>
    ),
  };
}

const COMPILED = 'Compiled from its published notices, which are authoritative.';

/** The facts of a public body that come before its names. */
function factsOf({ region, scope, kind, kind_source, address }: Profile['core']): Fact[] {
  return [
    ['Region', region],
    ['Remit', scope && labelPlain(scope)],
    ['Kind', kind && [labelBuyerKind(kind), kind_source && ` (by its ${labelPlain(kind_source).toLowerCase()})`]],
    [
      'Address',
      address && [address.street, address.locality, address.postcode, address.country].filter(Boolean).join(', '),
    ],
  ];
}
