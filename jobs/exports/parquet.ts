import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportCells, ExportColumn } from '../../schema/accounts/exports/datasets.ts';
import { ATTRIBUTION_WITH_ADDRESS } from '../../schema/reference/licence.ts';
import { toElements, toPhysical } from './parquet-types.ts';
import type { Pages } from './pieces.ts';

/** Letters of one row group: what is held in memory, and the least that a reader fetches. */
const GROUP_LETTERS = 4_000_000;
/** Key of the file's metadata. */
const ATTRIBUTION_KEY = 'attribution';

/** Typed columns in row groups, each compressed, lists as lists; the attribution is in the file's metadata. */
export async function* encodeParquet(columns: readonly ExportColumn[], pages: Pages): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(toElements)],
    codec: 'SNAPPY',
    kvMetadata: [{ key: ATTRIBUTION_KEY, value: ATTRIBUTION_WITH_ADDRESS }],
  });
  for await (const rows of groupRows(pages)) {
    const columnData = columns.map((column, at) => ({
      name: column.name,
      data: rows.map((cells) => toPhysical(cells[at] ?? null, column)),
      // The first and the last of long texts tell a reader nothing, and cost a comparison each.
      statistics: column.kind !== 'text' && column.kind !== 'json',
    }));
    await file.write({ columnData, rowGroupSize: rows.length });
    yield takeBytes(writer);
  }
  await file.finish();
  yield takeBytes(writer);
}

async function* groupRows(pages: Pages): AsyncGenerator<ExportCells[]> {
  let group: ExportCells[] = [];
  let letters = 0;
  for await (const rows of pages) {
    for (const cells of rows) {
      group.push(cells);
      for (const cell of cells) letters += typeof cell === 'string' ? cell.length : 0;
    }
    if (letters < GROUP_LETTERS) continue;
    yield group;
    group = [];
    letters = 0;
  }
  if (group.length > 0) yield group;
}

/** The offset goes on counting; the buffer is used again. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
