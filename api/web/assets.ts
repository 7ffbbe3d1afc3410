import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { encodeFor, type KeptBytes, keepBytes } from '../http/kept-bytes.ts';

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

interface Asset {
  type: string;
  kept: KeptBytes;
}

/** Reads the assets folder into memory. `web.css` is our style parts after a normalising base. */
export async function loadAssets(): Promise<{ paths: AssetPaths; serve: RequestHandler }> {
  const names = (await readdir(FOLDER)).filter((name) => extname(name) in TYPES);
  const files = new Map([['web.css', await joinStyles()]]);
  for (const name of names) files.set(name, await readFile(new URL(name, FOLDER)));
  const paths: Record<string, string> = {};
  const assets = new Map<string, Asset>();
  for (const [name, bytes] of files) {
    const digest = hash('sha256', bytes).slice(0, 12);
    const path = `/assets/${digest}/${name}`;
    paths[name] = path;
    assets.set(path, { type: TYPES[extname(name)] ?? 'application/octet-stream', kept: keepBytes(bytes) });
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
    const { bytes, headers } = await encodeFor(request, asset.kept);
    response.set(headers).send(bytes);
  };
}
