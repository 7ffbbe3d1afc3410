import type { Json } from './data.ts';

/** A package as it came over HTTP. */
interface Answer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
  releases: (Json & { id: string; ocid: string })[];
  next: string | undefined;
}

/** Asks the loopback services and reads a package where one came. */
export async function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, { headers: { 'user-agent': 'service-test', ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString('utf8');
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const sound = text.replaceAll(': 000,', ':0,');
  const body = (isJson ? JSON.parse(sound) : {}) as { releases?: Answer['releases']; links?: { next?: string } };
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    releases: body.releases ?? [],
    next: body.links?.next,
  };
}
