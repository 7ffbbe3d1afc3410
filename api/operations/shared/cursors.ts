import { InvalidInput } from '../../contract/errors.ts';

/** The refusal of a text that is no cursor of a list. @param cursor - what was sent */
export function badCursor(cursor: string | undefined): InvalidInput {
  return new InvalidInput({
    path: ['cursor'],
    msg: 'not a cursor of this list; send next_cursor of the page before with all else unchanged, or leave it out for the first page',
    type: 'value_error',
    input: cursor,
  });
}

/** The pages of a list whose lines have ascending numbers, newest first. */
interface NumberedPages {
  /** @throws InvalidInput for a text that is no cursor of such a list */
  check(input: { cursor?: string | undefined }): void;
  /** The number before which a page begins; undefined for the first page. */
  readBefore(cursor: string | undefined): number | undefined;
  /** The first `limit` of the lines, and the cursor of the next page: one line more was read, to learn whether there is one. */
  cut<Line>(
    lines: readonly Line[],
    limit: number,
    numberOf: (line: Line) => number,
  ): { page: Line[]; next: string | null };
}

/** The pages of a list. @param mark - the letter of its cursors, which tells them from those of another list */
export function numberedPages(mark: string): NumberedPages {
  const pattern = new RegExp(`^${mark}(\\d{1,15})$`);
  return {
    check({ cursor }) {
      if (cursor !== undefined && !pattern.test(cursor)) throw badCursor(cursor);
    },
    readBefore: (cursor) => (cursor === undefined ? undefined : Number(cursor.slice(mark.length))),
    cut(lines, limit, numberOf) {
      const page = lines.slice(0, limit);
      const last = page.at(-1);
      return { page, next: lines.length > limit && last ? `${mark}${numberOf(last)}` : null };
    },
  };
}
