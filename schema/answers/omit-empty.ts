type EmptiableKeys<T> = { [K in keyof T]: null extends T[K] ? K : undefined extends T[K] ? K : never }[keyof T];
/** `T` with optional fields where a value may be null or undefined. */
export type OmitEmpty<T> = { [K in Exclude<keyof T, EmptiableKeys<T>>]: T[K] } & {
  [K in EmptiableKeys<T>]?: NonNullable<T[K]>;
};

/** Drops empty fields: null, undefined, an empty text, an empty list. Zero and false stay. */
export function omitEmpty<T extends object>(fields: T): OmitEmpty<T> {
  // A plain loop takes less than half the time of Object.entries, which was a tenth of a company look-up's time.
  const present: Record<string, unknown> = {};
  for (const name in fields) if (isPresent(fields[name])) present[name] = fields[name];
  return present as OmitEmpty<T>;
}

/** The fields that have a value; null where none has. */
export function some<T extends object>(fields: T) {
  const present = omitEmpty(fields);
  return Object.keys(present).length > 0 ? present : null;
}

function isPresent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** A JSON column's value. Ingest wrote it, so its shape is trusted. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** The identifiers with a stated scheme, as a number alone identifies nothing; undefined without a list. */
export function withScheme<T extends { scheme: string }>(identifiers: T[] | undefined): T[] | undefined {
  return identifiers?.filter(({ scheme }) => scheme !== '');
}
