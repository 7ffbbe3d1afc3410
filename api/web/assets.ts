import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const FOLDER = new URL('./assets/', import.meta.url);
const A_YEAR = 'public, max-age=31536000, immutable';

/** File name -> address with the hash of its content, so that a browser may keep it for a year. */
export type AssetPaths = Readonly<Record<string, string>>;

interface Asset {
  type: string;
  bytes: Buffer;
}

/** Reads the few files of the assets folder into memory, once. */
export async function loadAssets(): Promise<{ paths: AssetPaths; serve: RequestHandler }> {
  const names = (await readdir(FOLDER)).filter((name) => extname(name) in TYPES);
  const paths: Record<string, string> = {};
  const held = new Map<string, Asset>();
  for (const name of names) {
    const bytes = await readFile(new URL(name, FOLDER));
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    paths[name] = `/assets/${hash}/${name}`;
    held.set(paths[name], { bytes, type: TYPES[extname(name)] ?? 'application/octet-stream' });
  }
  return { paths, serve: serveFrom(held) };
}

function serveFrom(held: Map<string, Asset>): RequestHandler {
  return (request, response, next) => {
    const asset = held.get(request.path);
    if (!asset) return next();
    response.set({ 'Content-Type': asset.type, 'Cache-Control': A_YEAR }).send(asset.bytes);
  };
}
