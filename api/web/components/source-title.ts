/** The titles of the services that publish notices, by the id of the source. */
export type SourceTitles = ReadonlyMap<string, string>;

/**
 * What every component of a page gets as its second argument. A provider and a hook would do the same, but V8 would then
 * keep the parts of a page until it collects old objects. That happened three times as often, and is the longest pause of a
 * page.
 */
export interface PageContext {
  titles: SourceTitles;
}

/** The title of a source, or its id if it has none. */
export function SourceTitle({ id }: { id: string }, { titles }: PageContext): string {
  return titles.get(id) ?? id;
}

/** The titles of a source and of the others that published the same: `Public Contracts Scotland and Find a Tender`. */
export function SourceList(
  { id, others }: { id: string; others: readonly string[] | null | undefined },
  { titles }: PageContext,
): string {
  return [id, ...(others ?? [])].map((each) => titles.get(each) ?? each).join(' and ');
}
