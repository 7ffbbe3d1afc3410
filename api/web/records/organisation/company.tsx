import type { z } from 'zod';
import type { companyProfileAnswer } from '../../../operations/companies/profile.ts';
import { formatDay } from '../../components/format.ts';
import { Heading, joinTitle, type Page } from '../../components/layout.tsx';
import { buyerPath, companyPath, withQuery } from '../../components/links.ts';
import { type Fact, Facts, Outward, Pages } from '../../components/parts.tsx';
import { SORT_SCRIPT, WonTable } from '../contract-list.tsx';
import { Supplying } from './own-sums.tsx';
import { About, Lead, Overview, type ShownWith } from './parts.tsx';

type Profile = z.input<typeof companyProfileAnswer>;
type Core = Profile['core'];

/** Who a company is, what it won from whom, and its contracts. */
export function companyPage(profile: Profile, { now, cursor, sums }: ShownWith): Page {
  const { core, contracts } = profile;
  return {
    title: joinTitle(core.name, core.company_number, cursor && 'further contracts'),
    description: `Public contracts won by ${core.name}`,
    section: 'companies',
    scripts: [SORT_SCRIPT],
    body: (
      <article>
        <Heading kind={core.company_number ? `Company ${core.company_number}` : 'Supplier'} title={core.name}>
          <Lead words={[core.status, core.type, core.locality]} />
          <p>
            <a href={withQuery('/companies', { query: core.name })}>Search for others with this name</a>
          </p>
          {core.left_register && <p class="note warn">The latest Companies House edition no longer lists it.</p>}
        </Heading>
        {!cursor && <Register core={core} />}
        {!cursor && (
          <Overview
            profile={profile}
            count={contracts.contract_count}
            places={contracts.framework_places}
            verb="won"
            parties={{ title: 'Most frequent buyers', parties: profile.top_buyers, path: buyerPath }}
            now={now}
          />
        )}
        <Supplying sums={sums} id={core.id} />
        <section>
          <h2 id="contracts">Contracts won, newest first</h2>
          {contracts.items.length === 0 ? <p>None found.</p> : <WonTable items={contracts.items} />}
          <Pages path={companyPath(core.id)} query={cursor ? { cursor } : {}} next={contracts.next_cursor} />
        </section>
        {!cursor && (
          <About
            core={core}
            words={core.notice_ids ? COMPILED : null}
            facts={factsOf(core)}
            awards={contracts.contract_count + contracts.framework_places}
          />
        )}
      </article>
    ),
  };
}

const COMPILED = 'Its contracts are compiled from the buyers’ notices, which are authoritative.';

/** The facts of a company that come before its names. */
function factsOf(core: Core): Fact[] {
  return [
    ['Small or medium-sized', sizeOf(core)],
    ['Where', core.locality],
  ];
}

function sizeOf({ is_sme, is_sme_source }: Core): string {
  if (is_sme === null) return 'not known';
  const said = is_sme_source === 'accounts' ? ' (according to the accounts it files)' : ' (according to notices)';
  return (is_sme ? 'yes' : 'no') + said;
}

/** Further facts of the Companies House register. */
function Register({ core }: { core: Core }) {
  if (!core.company_number) return null;
  const { registered_office: office, accounts, confirmation_statement: statement, mortgages } = core;
  const official = `https://find-and-update.company-information.service.gov.uk/company/${encodeURIComponent(core.company_number)}`;
  const facts = [
    ['Company number', core.company_number],
    ['Status', core.status],
    ['Kind', core.type],
    ['Incorporated', formatDay(core.incorporated)],
    ['Dissolved', formatDay(core.dissolved)],
    ['Registered office', office && Object.values(office).filter(Boolean).join(', ')],
    [
      'Nature of business',
      core.sic_codes?.map(({ code, description }) => `${code} ${description ?? ''}`.trim()).join('; '),
    ],
    ['Accounts made up to', formatDay(accounts?.last_made_up)],
    ['Next accounts due', formatDay(accounts?.next_due)],
    ['Accounts category', accounts?.category_label ?? accounts?.category],
    ['Confirmation statement due', formatDay(statement?.next_due)],
    ['Charges outstanding', mortgages?.outstanding ? String(mortgages.outstanding) : null],
    ['Previous names', core.previous_names?.map(({ name }) => name).join('; ')],
  ] as const;
  return (
    <section>
      <h2>Companies House register</h2>
      <Facts facts={facts} />
      <p>
        {core.register_edition
          ? `From the register of ${formatDay(core.register_edition)}. Source: Companies House.`
          : 'Our edition of the register does not list this number.'}
      </p>
      <p>
        <Outward href={official}>The official record at Companies House</Outward>
      </p>
    </section>
  );
}
