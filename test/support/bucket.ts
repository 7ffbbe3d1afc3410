import { randomBytes } from 'node:crypto';
import { askText } from '../../schema/accounts/exports/s3/requests.ts';
import { startProxy } from './proxy.ts';

/** A server that speaks S3, and a key that may do everything there. */
const server = process.env.S3_URL;
const [accessKeyId, secretAccessKey] = [
  process.env.S3_ACCESS_KEY_ID ?? 'test',
  process.env.S3_SECRET_ACCESS_KEY ?? 'test',
];

/** Whether there is an S3 server to test on; prints what is skipped where there is none. */
export function hasBucketServer(what: string): boolean {
  if (!server) console.warn(`skipped: ${what} needs S3_URL (an S3 server to test on, such as moto_server)`);
  return server !== undefined;
}

/** A new bucket of the server, reached through a proxy that can misbehave. */
export async function makeBucket() {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const proxy = await startProxy(new URL(server ?? ''));
  const bucket = {
    address: `${proxy.url}/${name}`,
    prefix: 'some/exports/',
    region: 'us-east-1',
    accessKeyId,
    secretAccessKey,
    place: `s3://${name}/some/exports`,
  };
  await askText(bucket, { method: 'PUT' });
  return {
    ...proxy,
    bucket,
    /** A process's settings for it. */
    settings: {
      EXPORTS_URL: bucket.place,
      EXPORTS_ENDPOINT: proxy.url,
      EXPORTS_ACCESS_KEY_ID: accessKeyId,
      EXPORTS_SECRET_ACCESS_KEY: secretAccessKey,
    },
  };
}

export type TestBucket = Awaited<ReturnType<typeof makeBucket>>;
