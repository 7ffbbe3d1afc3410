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

/** File name -> address with the hash of its content, so that a browser may keep it for a year. */
export type AssetPaths = Readonly<Record<string, string>>;

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

interface Asset {
  type: string;
  bytes: Buffer;
  /** The same bytes, as small as they get. */
  br: Buffer;
  gzip: Buffer;
}

/** Reads the few files of the assets folder into memory, once; `web.css` is our parts on top of a normalising base. */
export async function loadAssets(): Promise<{ paths: AssetPaths; serve: RequestHandler }> {
  const names = (await readdir(FOLDER)).filter((name) => extname(name) in TYPES);
  const files = new Map([['web.css', await joinStyles()]]);
  for (const name of names) files.set(name, await readFile(new URL(name, FOLDER)));
  const paths: Record<string, string> = {};
  const held = new Map<string, Asset>();
  for (const [name, bytes] of files) {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const path = `/assets/${hash}/${name}`;
    paths[name] = path;
    const [br, gzip] = [await compressors.br(bytes), await compressors.gzip(bytes)];
    held.set(path, { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes, br, gzip });
  }
  return { paths, serve: serveFrom(held) };
}

async function joinStyles(): Promise<Buffer> {
  const parts = (await readdir(STYLES)).filter((name) => name.endsWith('.css')).sort();
  const files = [BASE_STYLES, ...parts.map((name) => new URL(name, STYLES))];
  return Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
}

function serveFrom(held: Map<string, Asset>): RequestHandler {
  return (request, response, next) => {
    const asset = held.get(request.path);
    if (!asset) return next();
    response.set({ 'Content-Type': asset.type, 'Cache-Control': A_YEAR, Vary: 'Accept-Encoding' });
    const encoding = request.acceptsEncodings('br', 'gzip');
    if (encoding !== 'br' && encoding !== 'gzip') return response.send(asset.bytes);
    response.set('Content-Encoding', encoding).send(asset[encoding]);
  };
}
