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

interface FoundPage {
  text: string;
  /** Whether the typed text was cut. */
  isCut: boolean;
  /** The catalogue's current instant. */
  now: Date;
  /** Null if nothing was searched for. */
  parts: Parts | null;
}

export interface Parts {
  tenders: Part<FoundHits>;
  contracts: Part<FoundHits<ContractHit>>;
  notices: Part<FoundHits>;
  frameworks: Part<FoundHits<FrameworkHit>>;
  companies: Part<NameSearch>;
  buyers: Part<NameSearch>;
}

export const EVERYTHING = 'Words, a company, a public body, a framework or a notice number';

/** The best results of each kind, with links to all results. */
export function foundPage({ text, isCut, now, parts }: FoundPage): Page {
  return {
    title: joinTitle(text, 'Search'),
    robots: 'noindex, follow',
    body: (
      <>
        <Heading title="Search" />
        <SearchBox action="/search" value={text} label={EVERYTHING} hint="Words, name or number" />
        {isCut && <p class="note">Your search was very long: only its beginning was used.</p>}
        {parts && isEmpty(parts) && (
          <p class="note">
            Nothing was found. Try fewer or other words. A search needs letters or digits, not punctuation alone.
          </p>
        )}
        {parts && <FoundParts {...{ text, now }} {...parts} />}
      </>
    ),
  };
}

function FoundParts({ text, now, ...parts }: Parts & Pick<FoundPage, 'text' | 'now'>) {
  const { tenders, contracts, notices, frameworks, companies, buyers } = parts;
  const same = { text, now };
  return (
    <div class="found">
      <div class="found-names">
        <Names part={companies} text={text} title="Companies" path="/companies" />
        <Names part={buyers} text={text} title="Buyers" path="/buyers" />
      </div>
      <div class="found-hits">
        <Found part={tenders} {...same} scope="tenders" title="Live tenders" one="open tender" />
        <Found part={contracts} {...same} scope="contracts" title="Contracts" one="contract" many={CONTRACTS.many} />
        <Found part={notices} {...same} scope="notices" title="Notices" one="notice" />
        <Found part={frameworks} {...same} scope="frameworks" title="Frameworks" one="framework" />
      </div>
    </div>
  );
}

function isEmpty({ tenders, contracts, notices, frameworks, companies, buyers }: Parts): boolean {
  const noHits = (part: FoundProps['part']) =>
    'found' in part && !part.found.results?.some && (part.found.results?.items.length ?? 0) === 0;
  const noNames = (part: Parts['companies']) => 'found' in part && thingsOf(part.found).length === 0;
  return [tenders, contracts, notices, frameworks].every(noHits) && noNames(companies) && noNames(buyers);
}

interface FoundProps {
  part: Parts['tenders'] | Parts['contracts'] | Parts['frameworks'];
  text: string;
  now: Date;
  scope: Scope;
  title: string;
  one: string;
  many?: string | undefined;
}

function Found({ part, text, now, scope, title, one, many }: FoundProps) {
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
  part: Parts['companies'];
  text: string;
  title: string;
  path: string;
}

function Names({ part, text, title, path }: NamesProps) {
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
      {what} cannot be searched at the moment. The rest of this page is complete; try again in a minute.
    </p>
  );
}
