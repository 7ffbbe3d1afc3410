import type { ComponentChildren } from 'preact';
import { namesakesOf } from '../../find/by-name.ts';
import { formatNumbered } from '../components/format.ts';
import { labelMatch } from '../components/labels.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { buyerPath, companyPath, withQuery } from '../components/links.ts';
import { Refused, SearchBox } from '../components/parts.tsx';
import type { BestMatch, NamedThing, NameSearch } from '../queries/names.ts';
import { BUYERS, COMPANIES } from './views.ts';

const PATHS = { company: companyPath, buyer: buyerPath } as const;

/** The result for a name: the best match, its score, and similar names. */
export function namesPage(search: NameSearch): Page {
  const { section, title, label, hint, path } = search.kind === 'company' ? COMPANIES : BUYERS;
  return {
    title: `${search.name} - ${title}`,
    section,
    body: (
      <>
        <Heading title={title} />
        <SearchBox action={path} value={search.name} label={label} hint={hint} />
        {search.faults ? <Refused faults={search.faults} /> : <Matches search={search} />}
        <p class="more">
          <a href={withQuery(path, { query: search.name })}>All {title.toLowerCase()} with these words</a>
        </p>
      </>
    ),
  };
}

/** The best match of a name, then others. */
export function Matches({ search }: { search: NameSearch }) {
  const { best, others } = search;
  const path = PATHS[search.kind];
  if (!best && others.length === 0) {
    return (
      <p>
        We have no {search.kind} with that name. Type more of the name, as it appears on a contract, or{' '}
        <a href={withQuery('/notices', { query: search.name })}>search the notices for these words</a>.
      </p>
    );
  }
  return (
    <>
      {best && <Best best={best} href={path(best.id)} />}
      {others.length > 0 && (
        <section>
          <h2>{headOf(search)}</h2>
          <NameList things={others} kind={search.kind} />
        </section>
      )}
    </>
  );
}

/** The heading of the list: namesakes or similar names. */
function headOf({ kind, name, best, others }: NameSearch): string {
  const bearers = namesakesOf(name, others).length;
  if (best) return 'Or did you mean one of these?';
  if (bearers > 1) return `${bearers} ${kind === 'company' ? 'companies' : 'buyers'} have this name`;
  return 'No exact match. Did you mean one of these?';
}

function Best({ best, href }: { best: BestMatch; href: string }) {
  const { match } = best;
  return (
    <section>
      <h2>Best match</h2>
      <ul class="results">
        <NameLine thing={best} href={href}>
          {match && (
            <span>
              {labelMatch(match.method)}, {Math.round(match.score * 100)}% sure
            </span>
          )}
        </NameLine>
      </ul>
    </section>
  );
}

/** A list of companies or buyers with facts and the number of their contracts. */
export function NameList({ things, kind }: { things: readonly NamedThing[]; kind: NameSearch['kind'] }) {
  return (
    <ul class="results">
      {things.map((thing) => (
        <NameLine key={thing.id} thing={thing} href={PATHS[kind](thing.id)} />
      ))}
    </ul>
  );
}

function NameLine(props: { thing: NamedThing; href: string; children?: ComponentChildren }) {
  const { name, facts, contractCount, frameworkPlaces } = props.thing;
  return (
    <li>
      <h3>
        <a href={props.href}>{name}</a>
      </h3>
      <div class="meta">
        {facts.filter(Boolean).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {contractCount > 0 && <span>{formatNumbered(contractCount, 'contract')}</span>}
        {frameworkPlaces > 0 && <span>{formatNumbered(frameworkPlaces, 'framework place')}</span>}
        {props.children}
      </div>
    </li>
  );
}
