import type { ComponentChildren } from 'preact';
import { formatNumbered } from '../components/format.ts';
import { Heading, joinTitle, type Page } from '../components/layout.tsx';
import { withQuery } from '../components/links.ts';
import { SearchBox } from '../components/parts.tsx';
import { NameList } from '../directory/name-list.tsx';
import type { ContractHit, FoundHits, FrameworkHit, Results, Scope } from '../queries/hits.ts';
import type { NamedThing, NameSearch } from '../queries/names.ts';
import { canWatch, watchAddress } from './addresses.ts';
import { Hits } from './results.tsx';
import { SomeWords } from './some-words.tsx';
import { CONTRACTS } from './views.ts';

/** The outcome of one search: results or a failure. */
export type Part<T> = { found: T } | { error: unknown };

export interface FoundPage {
  text: string;
  /** Whether the typed text was cut. */
  isCut: boolean;
  /** The catalogue's current instant. */
  now: Date;
  /** Null if nothing was searched for. */
  tenders: Part<FoundHits> | null;
  contracts: Part<FoundHits<ContractHit>> | null;
  notices: Part<FoundHits> | null;
  frameworks: Part<FoundHits<FrameworkHit>> | null;
  companies: Part<NameSearch> | null;
  buyers: Part<NameSearch> | null;
}

export const EVERYTHING = 'Words, a company, a public body, a framework or a notice number';

/** The best results of each kind, with links to all results. */
export function foundPage(search: FoundPage): Page {
  const { text, isCut, now, tenders, contracts, notices, frameworks, companies, buyers } = search;
  return {
    title: joinTitle(text, 'Search'),
    robots: 'noindex, follow',
    body: (
      <>
        <Heading title="Search" />
        <SearchBox action="/search" value={text} label={EVERYTHING} hint="Words, name or number" />
        {isCut && <p class="note">Your search was very long: only its first 300 characters were used.</p>}
        {isEmpty(search) && (
          <p class="note">
            Nothing was found. Try fewer or other words. A search needs letters or digits, not punctuation alone.
          </p>
        )}
        <div class="found">
          <div class="found-names">
            <Names part={companies} text={text} title="Companies" path="/companies" />
            <Names part={buyers} text={text} title="Buyers" path="/buyers" />
          </div>
          <div class="found-hits">
            <Found part={tenders} {...{ text, now }} scope="tenders" title="Live tenders" one="open tender" />
            <Found
              part={contracts}
              {...{ text, now }}
              scope="contracts"
              title="Contracts"
              one="contract"
              many={CONTRACTS.many}
            />
            <Found part={notices} {...{ text, now }} scope="notices" title="Notices" one="notice" />
            <Found part={frameworks} {...{ text, now }} scope="frameworks" title="Frameworks" one="framework" />
          </div>
        </div>
      </>
    ),
  };
}

function isEmpty({ text, tenders, contracts, notices, frameworks, companies, buyers }: FoundPage): boolean {
  const noHits = (part: FoundProps['part']) =>
    part !== null && 'found' in part && !part.found.results?.some && (part.found.results?.items.length ?? 0) === 0;
  const noNames = (part: FoundPage['companies']) =>
    part !== null && 'found' in part && thingsOf(part.found).length === 0;
  const hits = [tenders, contracts, notices, frameworks];
  return text !== '' && hits.every(noHits) && noNames(companies) && noNames(buyers);
}

interface FoundProps {
  part: FoundPage['tenders'] | FoundPage['contracts'] | FoundPage['frameworks'];
  text: string;
  now: Date;
  scope: Scope;
  title: string;
  one: string;
  many?: string | undefined;
}

function Found({ part, text, now, scope, title, one, many }: FoundProps) {
  if (part === null) return null;
  if ('error' in part) return <Group title={title}>{<Silent what={title} />}</Group>;
  const { results } = part.found;
  if (results?.some) {
    return (
      <Group title={title}>
        <SomeWords path={`/${scope}`} query={{ query: text }} what={ONE[scope]} some={results.some}>
          <Hits items={results.some.items} scope={scope} now={now} level={3} />
        </SomeWords>
      </Group>
    );
  }
  if (!results || results.items.length === 0) return null;
  return (
    <Group title={title}>
      <Corrected corrections={results.corrections} />
      <Hits items={results.items} scope={scope} now={now} level={3} />
      <All path={`/${scope}`} text={text} results={results} one={one} many={many} />
      {canWatch(scope) && (
        <p class="more">
          <a href={watchAddress(scope, { query: text })} rel="nofollow">
            Alert me to new {scope}
          </a>
        </p>
      )}
    </Group>
  );
}

const ONE: Readonly<Record<Scope, string>> = {
  tenders: 'live tender',
  notices: 'notice',
  contracts: 'contract',
  frameworks: 'framework',
};

interface AllProps {
  path: string;
  results: Counted;
}

/** The link to all results of a kind, if there are more. */
function All({ path, text, results, one, many }: Pick<FoundProps, 'text' | 'one' | 'many'> & AllProps) {
  if (results.total <= results.items.length) return null;
  const all = `${results.exact ? '' : 'of at least '}${formatNumbered(results.total, one, many)}`;
  return (
    <p class="more">
      <a href={withQuery(path, { query: text })}>All {all}</a>
    </p>
  );
}

type Counted = Pick<Results, 'total' | 'exact'> & { items: readonly unknown[] };

interface NamesProps {
  part: FoundPage['companies'];
  text: string;
  title: string;
  path: string;
}

function Names({ part, text, title, path }: NamesProps) {
  if (part === null) return null;
  if ('error' in part) return <Group title={title}>{<Silent what={title} />}</Group>;
  const things = thingsOf(part.found);
  if (things.length === 0) return null;
  return (
    <Group title={title}>
      <NameList things={things} kind={part.found.kind} />
      <p class="more">
        <a href={withQuery(path, { name: text })}>{part.found.best ? 'How sure this match is' : `${title} by name`}</a>
      </p>
    </Group>
  );
}

function thingsOf({ best, others }: NameSearch): NamedThing[] {
  return [...(best ? [best] : []), ...others].slice(0, 4);
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Names the corrected typing errors. */
function Corrected({ corrections }: Pick<Results, 'corrections'>) {
  if (corrections.length === 0) return null;
  return <p class="muted small">{corrections.map(({ from, to }) => `“${from}” read as “${to}”`).join(' · ')}</p>;
}

function Silent({ what }: { what: string }) {
  return (
    <p class="note warn" role="status">
      {what} cannot be searched at this moment. The rest of this page is complete; try again in a minute.
    </p>
  );
}
