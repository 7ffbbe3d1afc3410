/** The most suppliers that are all named in one text; above this, the first ones are. */
const NAMED_MAX = 3;
const NAMED_FIRST = 2;

/** All suppliers in one text, so that they stay with the value next to them: `A; B; C`, or `A; B; and 3 others`. Null without any. */
export function nameSuppliers(suppliers: readonly { name: string }[]): string | null {
  const names = suppliers.map(({ name }) => name);
  if (names.length > NAMED_MAX) names.splice(NAMED_FIRST, names.length, `and ${names.length - NAMED_FIRST} others`);
  return names.length > 0 ? names.join('; ') : null;
}

const namesSql = (most: string) =>
  `SELECT group_concat(value ->> 'name', '; ') FROM json_each(suppliers) WHERE key < ${most}`;
const COUNT = 'json_array_length(suppliers)';

/** The same text in SQL over a contract's row: null without suppliers. */
export const SUPPLIER_NAMES = `iif(${COUNT} > ${NAMED_MAX},
  (${namesSql(String(NAMED_FIRST))}) || '; and ' || (${COUNT} - ${NAMED_FIRST}) || ' others', (${namesSql(COUNT)}))`;
