import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';
import { findCompiled } from '../compiled.ts';
import { ROOMS, ROOT } from '../source-files.ts';

/** The compiled project of a run, and copies of it: Node loads these itself. */
const COMPILED = /\/service-[^/]+\/compiled\//;
/** In a test, the runner writes such a snapshot into its source. */
const INLINE = /InlineSnapshot\(/;

/**
 * Gives a run its tests, the rooms and their own helpers as they were compiled before it: the runner translates a file first and
 * loads it for each worker, which takes a seventh of a run's processor time. A run that watches for changes reads the sources.
 */
export function compiledRooms(): Plugin {
  let watching = false;
  return {
    name: 'compiled-rooms',
    enforce: 'pre',
    config: () => ({ test: { server: { deps: { external: [COMPILED] } } } }),
    configureVitest({ vitest }) {
      watching = vitest.config.watch;
    },
    resolveId(source, importer) {
      if (watching || !importer) return null;
      if (!source.startsWith('.') && !source.startsWith(ROOT + sep)) return null;
      const script = relative(ROOT, resolve(dirname(importer), source));
      const room = ROOMS.find((name) => script.startsWith(name + sep));
      if (!room || !/\.tsx?$/.test(script)) return null;
      if (/\.test\.tsx?$/.test(script) && INLINE.test(readFileSync(join(ROOT, script), 'utf8'))) return null;
      return findCompiled(script) ?? null;
    },
  };
}
