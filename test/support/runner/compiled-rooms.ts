import { dirname, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';
import { findCompiled } from '../compiled.ts';
import { ROOMS, ROOT } from '../source-files.ts';

/** The compiled project of a run, and copies of it: Node loads these itself. */
const COMPILED = /\/service-[^/]+\/compiled\//;
const TEST = /\.test\.tsx?$/;

/**
 * Gives a run its tests, the rooms and their own helpers as they were compiled before it: the runner translates a file first and
 * loads it for each worker, which takes a seventh of a run's processor time. A run that watches for changes reads the sources,
 * and one that updates snapshots reads the tests, as it writes into them.
 */
export function compiledRooms(): Plugin {
  let watching = false;
  let updating = false;
  return {
    name: 'compiled-rooms',
    enforce: 'pre',
    config: () => ({ test: { server: { deps: { external: [COMPILED] } } } }),
    configureVitest({ vitest: { config } }) {
      watching = config.watch;
      updating = config.snapshotOptions.updateSnapshot === 'all';
    },
    resolveId(source, importer) {
      if (watching || !importer || (updating && TEST.test(source))) return null;
      if (!source.startsWith('.') && !source.startsWith(ROOT + sep)) return null;
      const script = relative(ROOT, resolve(dirname(importer), source));
      const room = ROOMS.find((name) => script.startsWith(name + sep));
      if (!room || !/\.tsx?$/.test(script)) return null;
      return findCompiled(script) ?? null;
    },
  };
}
