import type { ComponentChildren } from 'preact';
import { formatNumbered } from '../format.ts';
import { labelMatch } from '../labels.ts';
import { Heading, type Page } from '../layout.tsx';
import { buyerPath, companyPath, withQuery } from '../links.ts';
import { SearchBox } from '../parts.tsx';

/** Something a name may have meant. */
export interface Candidate {
  id: string;
  name: string;
}

/** The best match of a name, and how sure we are. */
export interface BestMatch extends Candidate {
  facts: readonly (string | null | undefined)[];
  contractCount: number;
  match: { method: string; score: number; evidence: string[] } | undefined;
}

export interface NameSearch {
  kind: 'company' | 'buyer';
  name: string;
  best?: BestMatch;
  others: readonly Candidate[];
  faults?: readonly string[];
}

const KINDS = {
  company: {
    section: 'companies',
    title: 'Companies',
    path: companyPath,
    label: 'Company name or number',
    lead: 'Suppliers of the public sector, and every company on the register. Give a name as you know it, or a Companies House number.',
  },
  buyer: {
    section: 'buyers',
    title: 'Buyers',
    path: buyerPath,
    label: 'Name of a public body',
    lead: 'Councils, departments, trusts, schools and others who buy with public money.',
  },
} as const;

/** Finding a company or a buyer by its name. */
export function namesPage(search: NameSearch): Page {
  const { section, title, label, lead } = KINDS[search.kind];
  return {
    title: search.name ? `${search.name} - ${title}` : title,
    section,
    body: (
      <>
        <Heading title={title}>{!search.name && <p class="lead">{lead}</p>}</Heading>
        <SearchBox action={`/${section}`} name="name" value={search.name} label={label} />
        {search.faults?.map((fault) => (
          <p key={fault} class="note bad" role="alert">
            {fault}
          </p>
        ))}
        {search.name && !search.faults && <Matches search={search} />}
      </>
    ),
  };
}

function Matches({ search }: { search: NameSearch }) {
  const { best, others } = search;
  const { path } = KINDS[search.kind];
  if (!best && others.length === 0) {
    return (
      <p>
        No single {search.kind} we hold goes by that name. Give more of it, as it stands on a contract, or{' '}
        <a href={withQuery('/notices', { query: search.name })}>search the notices for these words</a>.
      </p>
    );
  }
  return (
    <>
      {best && <Best best={best} href={path(best.id)} />}
      {others.length > 0 && (
        <section>
          <h2>{best ? 'Or did you mean' : 'No name is close enough to be sure. Did you mean'}</h2>
          <ul class="results">
            {others.map(({ id, name }) => (
              <Result key={id} href={path(id)} name={name}>
                <span>{id}</span>
              </Result>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Best({ best, href }: { best: BestMatch; href: string }) {
  const { match } = best;
  return (
    <section>
      <h2>Best match</h2>
      <ul class="results">
        <Result href={href} name={best.name}>
          {best.facts.filter(Boolean).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <span>{formatNumbered(best.contractCount, 'contract')}</span>
          {match && (
            <span>
              {labelMatch(match.method)}, {Math.round(match.score * 100)}% sure
            </span>
          )}
        </Result>
      </ul>
    </section>
  );
}

function Result({ href, name, children }: { href: string; name: string; children: ComponentChildren }) {
  return (
    <li>
      <h3>
        <a href={href}>{name}</a>
      </h3>
      <div class="meta">{children}</div>
    </li>
  );
}
