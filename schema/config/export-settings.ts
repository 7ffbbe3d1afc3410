import { z } from 'zod';
import { address, flag, headerText, setting, text, wholeNumber } from './value-types.ts';

const PLACE = 'an address such as s3://bucket/prefix, with letters, digits and . _ - in its names';
/** Names that need no escaping in an address, so that what is signed is what is sent. */
const bucketUrl = z
  .string()
  .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?$/, PLACE)
  .transform((url) => {
    const [bucket = '', ...prefix] = url.slice('s3://'.length).replace(/\/$/, '').split('/');
    return { bucket, prefix: prefix.map((part) => `${part}/`).join('') };
  });

/** The settings for where exports are stored and for how long. */
export const EXPORT_SETTINGS = {
  EXPORT_DAYS: setting('7', wholeNumber(1, 365), 'Days a finished export can be downloaded.'),
  EXPORTS_URL: setting(
    undefined,
    bucketUrl.optional(),
    'Bucket for exports, s3://bucket/prefix, one for all processes (default: DATA_DIR).',
  ),
  EXPORTS_ENDPOINT: setting(undefined, address.optional(), 'Address of the S3 service (default: AWS).'),
  EXPORTS_REGION: setting(
    'us-east-1',
    z.string().regex(/^[a-z0-9-]{1,40}$/, 'a region such as eu-west-2'),
    'Its region.',
  ),
  EXPORTS_PATH_STYLE: setting(
    undefined,
    flag.optional(),
    'Whether addresses name the bucket in their path (default: with EXPORTS_ENDPOINT).',
  ),
  EXPORTS_ACCESS_KEY_ID: setting(undefined, headerText.optional(), 'Id of its access key.'),
  EXPORTS_SECRET_ACCESS_KEY: setting(undefined, text.optional(), 'Secret of its access key.'),
};

const NO_HOST_NAME =
  'EXPORTS_PATH_STYLE: expected true, as EXPORTS_ENDPOINT has a number for a host, which no bucket can precede, got "false"';

/** Whether an address has a number for its host instead of a name. */
function isNumber(endpoint: unknown): boolean {
  return typeof endpoint === 'string' && !URL.canParse(endpoint.replace('//', '//bucket.'));
}

/** A contradiction between the settings of exports, as a sentence. `values`: those that are valid on their own. */
export function findExportFaults(values: Readonly<Record<string, unknown>>): string[] {
  const isWrong = values.EXPORTS_URL && values.EXPORTS_PATH_STYLE === false && isNumber(values.EXPORTS_ENDPOINT);
  return isWrong ? [NO_HOST_NAME] : [];
}
