import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The variable that tells the workers of a test run, whose helpers are the compiled ones, where the sources are. */
export const SOURCES = 'TESTED_PROJECT';

export const ROOT = process.env[SOURCES] ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const ROOMS = ['schema', 'ingest', 'search', 'api', 'jobs', 'test'] as const;

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  path: string;
  room: string;
  text: string;
  /** Paths from the root of what it imports from this project. */
  imports: string[];
}

/** Every TypeScript file of the six rooms, with what each imports from the others. */
export function readSources(): SourceFile[] {
  return ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => readSource(join(ROOT, room, name), room)),
  );
}

function readSource(file: string, room: string): SourceFile {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  const imports = [...found].map(([, target = '']) => relative(ROOT, resolve(dirname(file), target)));
  return { path: relative(ROOT, file), room, text, imports };
}
