import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const FOLDER = new URL('./assets/', import.meta.url);
/** The parts of our one stylesheet, joined in the order of their names. */
const STYLES = new URL('./styles/', FOLDER);
const BASE_STYLES = createRequire(import.meta.url).resolve('modern-normalize/modern-normalize.css');
const A_YEAR = 'public, max-age=31536000, immutable';

/** File name -> address with a hash of the content, so that browsers can cache it for a year. */
export type AssetPaths = Readonly<Record<string, string>>;

type Encoding = 'br' | 'gzip';

interface Asset {
  type: string;
  bytes: Buffer;
  /** The same bytes compressed, on the first request for them. */
  small: Partial<Record<Encoding, Promise<Buffer>>>;
}

/** Reads the assets folder into memory. `web.css` is our style parts after a normalising base. */
export async function loadAssets(): Promise<{ paths: AssetPaths; serve: RequestHandler }> {
  const names = (await readdir(FOLDER)).filter((name) => extname(name) in TYPES);
  const files = new Map([['web.css', await joinStyles()]]);
  for (const name of names) files.set(name, await readFile(new URL(name, FOLDER)));
  const paths: Record<string, string> = {};
  const assets = new Map<string, Asset>();
  for (const [name, bytes] of files) {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const path = `/assets/${hash}/${name}`;
    paths[name] = path;
    assets.set(path, { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes, small: {} });
  }
  return { paths, serve: serveFrom(assets) };
}

async function joinStyles(): Promise<Buffer> {
  const parts = (await readdir(STYLES)).filter((name) => name.endsWith('.css')).sort();
  const files = [BASE_STYLES, ...parts.map((name) => new URL(name, STYLES))];
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
}

function serveFrom(assets: Map<string, Asset>): RequestHandler {
  return async (request, response, next) => {
    const asset = assets.get(request.path);
    if (!asset) return next();
    response.set({ 'Content-Type': asset.type, 'Cache-Control': A_YEAR, Vary: 'Accept-Encoding' });
    const encoding = request.acceptsEncodings('br', 'gzip');
    if (encoding !== 'br' && encoding !== 'gzip') return void response.send(asset.bytes);
    const small = await makeSmall(asset, encoding);
    response.set('Content-Encoding', encoding).send(small);
  };
}

const compressors = { br: promisify<Buffer, Buffer>(brotliCompress), gzip: promisify<Buffer, Buffer>(gzip) };

function makeSmall({ bytes, small }: Asset, encoding: Encoding): Promise<Buffer> {
  small[encoding] ??= compressors[encoding](bytes);
  return small[encoding];
}
