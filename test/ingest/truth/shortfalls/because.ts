/** Cases that the product judges wrongly, each with the reason. One that becomes right fails its test until it is struck out here. */
export type Shortfalls = { [name: string]: string };

/** The cases that fall short for one reason. */
export function because(reason: string, names: readonly string[]): Shortfalls {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
