import type { z } from 'zod';
import type { buyerProfileAnswer } from '../../operations/shared/buyer-shapes.ts';
import { labelPlain } from '../labels.ts';
import { Heading, joinTitle, type Page } from '../layout.tsx';
import { buyerPath, companyPath, safeLink, withQuery } from '../links.ts';
import { Facts, Outward } from '../parts.tsx';
import { ByYear } from './by-year.tsx';
import { IssuedList, Pages } from './contract-list.tsx';
import { Counterparties, FrameworkList, otherNames, TotalFigures } from './organisation.tsx';

type Profile = z.input<typeof buyerProfileAnswer>;

/**
 * @param now - the catalogue's now, which says what year is not over.
 * @param cursor - which page of its contracts is shown; absent for the first.
 */
export function buyerPage(profile: Profile, now: Date, cursor?: string): Page {
  const { core, contracts } = profile;
  const path = buyerPath(core.buyer_id);
  return {
    title: joinTitle(core.name, cursor && 'further contracts'),
    description: `What ${core.name} buys, and from whom`,
    section: 'buyers',
    body: (
      <article>
        <Heading kind="Buyer" title={core.name}>
          <p>
            <a href={withQuery('/notices', { buyer_id: core.buyer_id })}>Its notices</a> ·{' '}
            <a href={withQuery('/tenders', { query: '*', buyer_id: core.buyer_id })}>Its live tenders</a> ·{' '}
            <a href={withQuery('/buyers', { name: core.name })}>Others of this name</a>
          </p>
        </Heading>
        <Facts facts={factsOf(core)} />
        {!cursor && (
          <>
            <TotalFigures count={contracts.contract_count} totals={profile.totals} verb="issued" />
            <ByYear
              title="Spending by year"
              years={profile.by_year}
              totals={profile.totals}
              thisYear={String(now.getUTCFullYear())}
            />
            <Counterparties
              title="Most frequent suppliers"
              count={contracts.contract_count}
              parties={profile.top_suppliers}
              path={companyPath}
            />
            <FrameworkList frameworks={profile.frameworks} />
          </>
        )}
        <section>
          <h2 id="contracts">Contracts, newest first</h2>
          {contracts.items.length === 0 ? <p>None is held.</p> : <IssuedList items={contracts.items} />}
          <Pages path={path} query={cursor ? { cursor } : {}} next={contracts.next_cursor} />
        </section>
      </article>
    ),
  };
}

function factsOf(core: Profile['core']) {
  const { address } = core;
  return [
    ['Region', core.region],
    ['Kind', core.kind && labelPlain(core.kind)],
    [
      'Address',
      address && [address.street, address.locality, address.postcode, address.country].filter(Boolean).join(', '),
    ],
    ['Also known as', otherNames(core.name, core.also_known_as)],
    ['Identifiers', core.identifiers?.map(({ scheme, id }) => `${scheme} ${id}`).join(', ')],
    ['Website', core.url && <Outward href={safeLink(core.url)}>{core.url}</Outward>],
  ] as const;
}
