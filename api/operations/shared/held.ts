type HeldKeys<T> = { [K in keyof T]: null extends T[K] ? K : undefined extends T[K] ? K : never }[keyof T];
/** The fields of `T`, those that may be null or undefined made optional. */
export type Held<T> = { [K in Exclude<keyof T, HeldKeys<T>>]: T[K] } & { [K in HeldKeys<T>]?: NonNullable<T[K]> };

/** Drops fields that hold nothing: null, undefined, an empty text, an empty list. Zero and false are held. */
export function held<T extends object>(fields: T): Held<T> {
  const kept = Object.entries(fields).filter(([, value]) => {
    if (value === null || value === undefined || value === '') return false;
    return !(Array.isArray(value) && value.length === 0);
  });
  return Object.fromEntries(kept) as Held<T>;
}

/** A JSON column's value. Ingest wrote it, so its shape is trusted. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** Identifiers whose scheme was said; a number alone names nothing. */
export function withScheme<T extends { scheme: string }>(identifiers: T[] | undefined): T[] | undefined {
  return identifiers?.filter(({ scheme }) => scheme !== '');
}
