import { EXPORT_DATASETS, EXPORT_FORMATS, type ExportDataset } from '../../../../schema/accounts/exports/datasets.ts';
import { allRowsOf } from '../../../../search/filters/listed.ts';
import { labelFormat } from '../../components/labels.ts';
import { type Asked, Choice, FilterFields, readFields, shortenFields, Text } from '../../filters/plain-fields.tsx';

export const NEW_EXPORT = '/dashboard/exports/new';

/** The fields of an export's form by their API names; blank fields are absent. */
export type ExportForm = Asked & { readonly dataset: ExportDataset };

/** Reads the fields of an address or a form. Unknown fields and other datasets' filters are left out. */
export function readExportForm(sent: Readonly<Record<string, unknown>>): ExportForm {
  const dataset = EXPORT_DATASETS.find((one) => one === sent.dataset) ?? 'notices';
  const names = ['query', ...allRowsOf(dataset).map(({ name }) => name), 'format', 'excel', 'max_rows'];
  return Object.assign(readFields(names, sent), { dataset });
}

/** The fields as a page repeats them: very long values are cut. */
export function shortenForm(asked: ExportForm): ExportForm {
  return { ...shortenFields(asked), dataset: asked.dataset };
}

const ORDERS: Partial<Record<ExportDataset, string>> = {
  companies: 'Latest award first, then latest incorporation',
  buyers: 'Latest award first',
};

/** The order of its rows, which decides what a file holds where more rows match than its maximum. */
export const sayOrder = ({ dataset }: ExportForm): string => ORDERS[dataset] ?? 'Newest first';

/** The search text, filters and file format. */
export function Fields({ asked }: { asked: ExportForm }) {
  const { dataset } = asked;
  return (
    <>
      <div class="spread">
        <Text name="query" label={dataset in ORDERS ? 'Words in the name' : 'Words'} asked={asked} />
        <FilterFields dataset={dataset} asked={asked} />
      </div>
      <h2>The file</h2>
      <div class="spread">
        <Choice
          name="format"
          label="Format"
          options={EXPORT_FORMATS.map((format) => [format, labelFormat(format)])}
          asked={asked}
        />
        <Text
          name="max_rows"
          type="number"
          label="Maximum number of rows"
          hint={`${sayOrder(asked)}. 100 credits for every 1,000 rows or part of 1,000.`}
          asked={{ ...asked, max_rows: asked.max_rows ?? '1000' }}
        />
        <label class="tick">
          <input type="checkbox" name="excel" value="true" checked={asked.excel === 'true'} />
          <span>For Excel: mark the CSV file as UTF-8</span>
        </label>
      </div>
    </>
  );
}
