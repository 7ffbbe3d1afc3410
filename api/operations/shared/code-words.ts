/** A code in plain words: `tenderUpdate`, `dynamic_market` -> `Tender update`, `Dynamic market`. */
export function sayPlainly(code: string): string {
  const words = code
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
