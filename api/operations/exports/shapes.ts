import { z } from 'zod';
import { EXPORT_DATASETS, EXPORT_FORMATS } from '../../../schema/accounts/exports/datasets.ts';
import { countKind, filtersUsed } from '../../../schema/answers/shapes.ts';
import { unknownFilters } from '../filters/known.ts';

export const exportStatus = z.enum(['quote', 'processing', 'completed', 'failed', 'expired']);
export const exportDataset = z.enum(EXPORT_DATASETS);
export const exportFormat = z.enum(EXPORT_FORMATS);

export const exportAnswer = z.object({
  export_id: z.string().nullable().describe('null in a quote'),
  status: exportStatus,
  rows: z.int(),
  matched: z.int().describe('How many rows match, whatever max_rows is'),
  matched_is: countKind.optional(),
  dataset: exportDataset,
  format: exportFormat,
  filters: filtersUsed,
  credits_required: z.int().optional().describe('What the export would cost: 100 for each started 1,000 rows'),
  created_at: z.string().optional(),
  completed_at: z.string().optional(),
  download_url: z
    .string()
    .optional()
    .describe(
      'Signed, needs no key, good for a day; ask again for a fresh one. With download.csv-metadata.json in place of download: what the columns of a CSV hold',
    ),
  download_expires_at: z.string().optional(),
  bytes: z.int().optional(),
  sha256: z.string().optional(),
  expires_at: z.string().optional().describe('When the file is removed'),
  credits_paid: z.int().optional().describe('What was charged when the export was made'),
  credits_refunded: z.int().optional(),
  message: z.string().optional(),
  licence: z.string().describe('Of the rows; a file of CSV or JSON holds rows only'),
  attribution: z.string().describe('To be shown with what is made of them'),
  unknown_filters: unknownFilters,
});
