import type { Judged } from './documents.ts';
import { gradeBy, type JudgedQuery, PER_KIND } from './grades.ts';
import { choose, type Draw, plain, tells, wordsOf } from './words.ts';

const LEGAL_FORM = / (?:ltd|limited|llp|plc)$/;

/** Who supplies what to whom, as people ask about contracts that were awarded. */
export function awardQueries(judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const awarded = judged.filter(({ suppliers, title }) => suppliers.length > 0 && title.split(' ').some(tells));
  return [...suppliersAndSubjects(awarded, judged, draw), ...buyersAndSuppliers(awarded, judged, draw)];
}

/** A supplier in short with one word of what it supplies: that contract, then what else the supplier has. */
function suppliersAndSubjects(awarded: readonly Judged[], judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const kind = 'supplier and subject';
  const asked = awarded.map((one) => ({ one, text: `${shortOf(one)} ${one.title.split(' ').find(tells)}` }));
  return choose(distinct(asked), PER_KIND, draw, ({ text }) => kind + text).map(({ one, text }) => {
    const subject = one.title.split(' ').find(tells) ?? '';
    const isTheirs = ({ suppliers }: Judged) => suppliers.includes(one.suppliers[0] ?? '');
    const grades = gradeBy(judged, [
      [3, (each) => isTheirs(each) && each.title.split(' ').includes(subject)],
      [1, isTheirs],
    ]);
    return { kind, text, grades };
  });
}

/** A buyer and a supplier: what the one bought of the other, then what either has. */
function buyersAndSuppliers(awarded: readonly Judged[], judged: readonly Judged[], draw: Draw): JudgedQuery[] {
  const kind = 'buyer and supplier';
  const named = awarded.filter(({ buyer }) => buyer !== null && wordsOf(buyer).some(tells));
  const asked = named.map((one) => ({ one, text: `${one.buyer} ${shortOf(one)}` }));
  return choose(distinct(asked), PER_KIND, draw, ({ text }) => kind + text).map(({ one, text }) => {
    const isTheirs = ({ suppliers }: Judged) => suppliers.includes(one.suppliers[0] ?? '');
    const grades = gradeBy(judged, [
      [3, (each) => each.buyer === one.buyer && isTheirs(each)],
      [1, (each) => each.buyer === one.buyer || isTheirs(each)],
    ]);
    return { kind, text, grades };
  });
}

function shortOf({ suppliers: [name = ''] }: Judged): string {
  return plain(name).replace(LEGAL_FORM, '');
}

function distinct<T extends { text: string }>(asked: readonly T[]): T[] {
  return [...new Map(asked.map((each) => [each.text, each])).values()];
}
