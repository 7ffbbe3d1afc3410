import codes from '../../reference/company-codes.json' with { type: 'json' };

export type CodeList = keyof typeof codes.labels;

/** Words for the codes of the Companies House API. */
const LABELS: Readonly<Record<CodeList, Readonly<Record<string, string>>>> = codes.labels;

/** List -> words in lower case -> code; where codes share their words, the first. */
const CODES = new Map(
  Object.entries(LABELS).map(([list, labels]) => [
    list,
    new Map(
      Object.entries(labels)
        .map(([code, words]): [string, string] => [words.toLowerCase(), code])
        .reverse(),
    ),
  ]),
);

/** Words of the bulk file in capitals -> code; null where they have none of their own. */
const BULK: Partial<Record<CodeList, Readonly<Record<string, string | null>>>> = {
  company_status: codes.bulk_statuses,
  company_type: codes.bulk_categories,
};

/** The words for a code, or the code itself where it has none. */
export function labelOf(list: CodeList, code: string | null | undefined): string | null {
  if (code === null || code === undefined) return null;
  return LABELS[list][code] ?? code;
}

/** Whether a list names a code. */
export function hasCode(list: CodeList, code: string): boolean {
  return Object.hasOwn(LABELS[list], code);
}

/** The code for a text, in any case, as the bulk file has words only. Null for an unknown text. */
export function codeOf(list: CodeList, words: string | null | undefined): string | null {
  if (!words) return null;
  if (LABELS[list][words]) return words;
  return BULK[list]?.[words.toUpperCase()] ?? CODES.get(list)?.get(words.toLowerCase()) ?? null;
}

/** Code and words of an accounts category as either service writes it: `TOTAL EXEMPTION FULL`, `total-exemption-full`. */
export function accountsCategory(published: string | null | undefined) {
  if (!published) return {};
  const code = published.toLowerCase().replaceAll(' ', '-');
  const label = LABELS.account_type[code];
  return { category: published, ...(label && { category_code: code, category_label: label }) };
}
