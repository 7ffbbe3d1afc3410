import { editionOf, type RegisterRow, type UpstreamData } from '../../upstream/data.ts';
import {
  type GeneratedRelease,
  generateReleases,
  listByMonth,
  makeSample,
  SAMPLE_AS_OF,
} from '../../upstream/sample/make.ts';

/** Five years: the span that generated releases are spread over. */
export const SPAN_DAYS = 1_825;
const SHAPES = 500;

/** A world of this many generated releases and register rows. Each release is held as the text it is served as. */
export function makeBenchData(releases: number, rows: number): UpstreamData {
  const served: GeneratedRelease[] = [];
  for (const each of generateReleases({ count: releases, spanDays: SPAN_DAYS })) served.push(thin(each));
  const bySource = (wanted: string) => served.filter(({ source }) => source === wanted);
  const shapes = makeSample({ notices: 0, companies: SHAPES, buyers: 1 });
  return {
    ...shapes,
    findATender: bySource('find_a_tender'),
    contractsFinder: bySource('contracts_finder'),
    byMonth: listByMonth(served),
    bulk: makeRows([...shapes.bulk], rows),
    asOf: SAMPLE_AS_OF,
  };
}

/** What listings select by, and the text: a hundred thousand whole objects would not fit. */
function thin(each: GeneratedRelease): GeneratedRelease {
  const { id, ocid, date, tag } = each.release;
  return { ...each, release: { id, ocid, date, tag }, raw: each.raw ?? JSON.stringify(each.release) };
}

/** Rows of the sample's shapes, each with a number and a name of its own, made again each time they are read. */
function makeRows(shapes: readonly RegisterRow[], count: number): Iterable<RegisterRow> {
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index++) {
        const shape = shapes[index % shapes.length] ?? {};
        const number = String(index + 1).padStart(8, '0');
        yield { ...shape, CompanyNumber: number, CompanyName: `${shape.CompanyName} ${number}` };
      }
    },
  };
}

/** The edition of the next month: one row in a hundred changed, one in a thousand gone. */
export function nextEdition(data: UpstreamData): UpstreamData {
  const bulk = {
    *[Symbol.iterator]() {
      let index = 0;
      for (const row of data.bulk) {
        index += 1;
        if (index % 1_000 === 7) continue;
        yield index % 100 === 0 ? { ...row, CompanyStatus: 'Liquidation', CompanyName: `${row.CompanyName} TWO` } : row;
      }
    },
  };
  const month = new Date(`${data.bulkEdition}T00:00:00Z`);
  return { ...data, bulk, bulkEdition: editionOf(new Date(month.setUTCMonth(month.getUTCMonth() + 1))) };
}
