import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The titles of the services that publish notices, by the id of the source. */
export type SourceTitles = ReadonlyMap<string, string>;

/** The titles that a page is rendered with. */
export const PageTitles = createContext<SourceTitles>(new Map());

/** The title of a source, or its id if it has none, for use in a component. */
export function useSourceTitle(id: string): string {
  return useContext(PageTitles).get(id) ?? id;
}

/** The title of a source, or its id if it has none. */
export function SourceTitle({ id }: { id: string }): string {
  return useSourceTitle(id);
}

/** The titles of several sources: `Public Contracts Scotland and Find a Tender`. */
export function SourceList({ ids }: { ids: readonly string[] }): string {
  const titles = useContext(PageTitles);
  return ids.map((id) => titles.get(id) ?? id).join(' and ');
}
