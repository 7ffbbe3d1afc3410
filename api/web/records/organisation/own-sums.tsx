import { labelProcedure } from '../../components/labels.ts';
import { withQuery } from '../../components/links.ts';
import type { Web } from '../../context.ts';
import { addUpAll, type Summary } from '../../summary/kept.ts';
import { Groups, NoSums } from '../../summary/tables.tsx';

/** Groups shown for each grouping. */
const GROUPS = 8;
/** The sums of fewer contracts add nothing to their list. */
const LEAST = 2;

/** The filter for the subject of the page. */
type Own = { buyer_id: string } | { company_number: string };

/** The contracts of a buyer or a company, added up in two ways; null if that is not possible now, undefined for very few. */
export type OwnSums = Record<'categories' | 'others', Summary> | null | undefined;

/** Adds up the contracts of a buyer by category and procedure, those of a company by category and region. */
export async function addUpOwn(web: Web, own: Own, count: number): Promise<OwnSums> {
  if (count < LEAST) return undefined;
  return addUpAll(web, {
    categories: { group_by: 'cpv', limit: GROUPS, ...own },
    others: { group_by: 'buyer_id' in own ? 'procedure' : 'region', limit: GROUPS, ...own },
  });
}

/** What a buyer buys and how; each line links to its contracts. */
export function Buying({ sums, id }: { sums: OwnSums; id: string }) {
  if (!sums) return sums === null ? <NoSums /> : null;
  const contracts = (more: Record<string, string>) => withQuery('/contracts', { buyer_id: id, ...more });
  return (
    <>
      <Groups title="What it buys" head="Category" summary={sums.categories} linkOf={(cpv) => contracts({ cpv })} />
      <Groups
        title="How it buys"
        head="Procedure"
        summary={sums.others}
        nameOf={({ id: procedure }) => procedure && labelProcedure(procedure)}
        linkOf={(procedure) => contracts({ procedure })}
      />
    </>
  );
}

/** What a company supplies and where; each line links to its contracts. */
export function Supplying({ sums, id }: { sums: OwnSums; id: string }) {
  if (!sums) return sums === null ? <NoSums /> : null;
  const contracts = (more: Record<string, string>) => withQuery('/contracts', { company_number: id, ...more });
  return (
    <>
      <Groups title="What it supplies" head="Category" summary={sums.categories} linkOf={(cpv) => contracts({ cpv })} />
      <Groups title="Where" head="Region" summary={sums.others} linkOf={(region) => contracts({ region })} />
    </>
  );
}
