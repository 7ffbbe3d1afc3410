import type { Buyer } from '../market/buyers.ts';
import type { Random } from '../random.ts';
import { PROCEDURE_SENTENCES, SITES } from '../trades/all.ts';
import type { BuyerKind, Need, Trade } from '../trades/types.ts';

/** Something of the trade that this kind of buyer wants. */
export function drawNeed(random: Random, { needs }: Trade, kind: BuyerKind): Need {
  const own = needs.filter(({ buyers }) => !buyers || buyers.includes(kind));
  return random.pick(own.length > 0 ? own : needs);
}

/** Title and description of a procurement. */
export function wordsOf(
  random: Random,
  { need, buyer, year }: { need: Need; buyer: Buyer; year: string },
): { title: string; description: string } {
  const site = random.pick(SITES[buyer.kind] ?? SITES.other);
  const fill = (text: string) =>
    text
      .replace(/^\{site\}/, site.replace(/^the /, 'The '))
      .replaceAll('{site}', site)
      .replaceAll('{place}', buyer.place.name)
      .replaceAll('{year}', year)
      .replaceAll('{count}', String(random.int(6, 90) * 50))
      .replaceAll('{sites}', String(random.int(4, 40)));
  const title = fill(need.title);
  const opening = random.pick([
    `${buyer.name} is seeking to appoint a suitably qualified and experienced supplier for ${title}.`,
    `${buyer.name} invites tenders for ${title}.`,
    `This procurement concerns ${title} on behalf of ${buyer.name}.`,
    `The authority has a requirement for ${title}.`,
  ]);
  const sentences = [opening, fill(need.scope), ...random.some(PROCEDURE_SENTENCES, random.int(0, 3))];
  return { title: titled(random, title, buyer), description: sentences.join(random.chance(0.3) ? '\n' : ' ') };
}

function titled(random: Random, title: string, buyer: Buyer): string {
  const again = ['Re-tender', 'Phase 2', 'Lot Based', '2026-2030', 'Year 3'];
  const placed = title.includes(buyer.place.name) ? title : `${title} - ${buyer.place.name}`;
  return random.weigh([
    [62, title],
    [14, placed],
    [10, `${title} (${random.pick(again)})`],
    [8, `${buyer.name} - ${title}`],
    [6, title.toUpperCase()],
  ]);
}
