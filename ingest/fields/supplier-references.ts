import { type JsonObject, listOf, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';

/** A supplier as an award, a contract or an amendment names it: by reference, inline, or by its bare name. */
interface Mention {
  mention: unknown;
  /** Whether an amendment takes it away. */
  isRemoved: boolean;
}

const AMENDING = ['suppliersAdded', 'suppliersRemoved'] as const;

/** Every mention of a supplier in a release, in the order of the text. */
export function mentionsIn(json: JsonObject): Mention[] {
  const found: Mention[] = [];
  const add = (list: unknown, isRemoved = false) => {
    for (const mention of valuesOf(list)) found.push({ mention, isRemoved });
  };
  for (const holder of [...valuesOf(json.awards), ...valuesOf(json.contracts)]) {
    const { suppliers, amendments } = objectOf(holder) ?? {};
    add(suppliers);
    for (const amendment of valuesOf(amendments)) {
      const { suppliersAdded, suppliersRemoved } = objectOf(amendment) ?? {};
      add(suppliersAdded);
      add(suppliersRemoved, true);
    }
  }
  return found;
}

/** The release with every list of suppliers changed. A supplier published as a bare text is known by that name. */
export function mapMentions(json: JsonObject, change: (mentions: JsonObject[]) => JsonObject[]): JsonObject {
  const list = (raw: unknown) => change(listOf(raw, readMention));
  const within = (raw: unknown, keys: readonly string[]): unknown => {
    const object = objectOf(raw);
    if (!object) return raw;
    const lists = keys.filter((key) => object[key] !== undefined && object[key] !== null);
    return { ...object, ...Object.fromEntries(lists.map((key) => [key, list(object[key])])) };
  };
  const holders = (raw: unknown) =>
    valuesOf(raw).map((one) => {
      const holder = within(one, ['suppliers']);
      const { amendments } = objectOf(holder) ?? {};
      if (valuesOf(amendments).length === 0) return holder;
      return { ...objectOf(holder), amendments: valuesOf(amendments).map((amendment) => within(amendment, AMENDING)) };
    });
  return {
    ...json,
    ...(json.awards === undefined || json.awards === null ? {} : { awards: holders(json.awards) }),
    ...(json.contracts === undefined || json.contracts === null ? {} : { contracts: holders(json.contracts) }),
  };
}

function readMention(value: unknown): JsonObject | undefined {
  const name = textOf(value);
  return objectOf(value) ?? (name === undefined ? undefined : { name });
}

/** Mentions without those of an id that stands before them. */
export function nameOnce(mentions: readonly JsonObject[]): JsonObject[] {
  const ids = new Set<string>();
  return mentions.filter(({ id }) => {
    const text = textOf(id);
    const isNew = text === undefined || !ids.has(text);
    if (text !== undefined) ids.add(text);
    return isNew;
  });
}
