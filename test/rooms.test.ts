import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reach, WAYS } from './bench/imports.ts';
import { ROOMS, ROOT, readSources, type SourceFile } from './support/source-files.ts';

const MAY_IMPORT: Record<string, string[]> = {
  schema: ['schema'],
  ingest: ['ingest', 'schema'],
  search: ['search', 'schema'],
  api: ['api', 'search', 'schema'],
  jobs: ['jobs', 'ingest', 'search', 'schema'],
  test: ['test', 'schema', 'ingest', 'search', 'api', 'jobs'],
};
/** The length of a function (50 lines) is judged by the linter. */
const FILE_LINES = 250;
/** Files in one folder; what a generator wrote is not counted. */
const FOLDER_FILES = 25;
/** Files of one folder whose names begin with the same word: more of them are a folder of their own. */
const FAMILY_FILES = 3;
/** A file below this that only one other imports needs a reason. */
const SMALL_LINES = 40;
/** The tables: each of their rows is a file of its own, however small. */
const TABLES = /^(ingest\/sources\/index|search\/filters\/index|api\/operations\/index|jobs\/cli\/program)\.ts$/;
/** SQL lives here and nowhere else; the routes of a folder of pages are its front. */
const SMALL_BY_KIND = /^api\/reads\/|^api\/web\/\w+\/routes\.ts$/;
/** Read by a tool from outside. */
const TOOL_CONFIG = /\.config\.ts$/;
/** The only files that may read the environment: where a process begins. */
const FRONT_DOORS = /^(api\/main|jobs\/main|jobs\/start|jobs\/cli\/main|test\/.*)\.tsx?$/;

const files = readSources();
const production = files.filter(({ room }) => room !== 'test');
const offenders = (pattern: RegExp, among: SourceFile[]) =>
  among.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('the rooms', () => {
  it('import downwards only, and ingest and search do not meet', () => {
    const wrong = files.flatMap(({ path, room, imports }) =>
      imports
        .filter((target) => !MAY_IMPORT[room]?.includes(target.split('/')[0] ?? ''))
        .map((target) => `${path} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('have no import cycle', () => {
    expect(findCycle(files)).toBeNull();
  });

  it(`hold no file over ${FILE_LINES} lines`, () => {
    const long = files
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > FILE_LINES);
    expect(long).toEqual([]);
  });
});

describe('the parts of a room', () => {
  it.each(ROOMS.filter((room) => room !== 'test'))('of %s import in the order that its README draws', (room) => {
    const drawn = readDrawing(readFileSync(join(ROOT, room, 'README.md'), 'utf8'));
    expect(findUpward(production, room, drawn)).toEqual([]);
  });

  it('import from the left and from above only', () => {
    const file = (path: string, ...imports: string[]) => ({ path, imports, room: 'jobs', text: '' });
    const drawn = readDrawing('# jobs\n```\n main.ts  the process\n  cli/ tasks/  commands/\n```\n```\n other/\n```');
    expect(drawn).toEqual(['main', 'cli', 'tasks', 'commands']);
    const main = file('jobs/main.ts', 'jobs/cli/run.ts', 'jobs/tasks/all.ts', 'schema/db/open.ts');
    expect(findUpward([main, file('jobs/cli/run.ts', 'jobs/tasks/all.ts')], 'jobs', drawn)).toEqual([]);
    expect(findUpward([file('jobs/tasks/all.ts', 'jobs/cli/run.ts')], 'jobs', drawn)).toHaveLength(1);
    expect(findUpward([file('jobs/cli/run.ts', 'jobs/new/one.ts')], 'jobs', drawn)).toHaveLength(1);
  });
});

describe('a file of the product', () => {
  it(`under ${SMALL_LINES} lines has more than one importer, or a reason`, () => {
    const importers = new Map<string, string[]>();
    for (const { path, imports } of production)
      for (const target of new Set(imports)) importers.set(target, [...(importers.get(target) ?? []), path]);
    const lonely = production
      .filter(({ text, path }) => text.split('\n').length - 1 < SMALL_LINES && importers.get(path)?.length === 1)
      .map(({ path }) => ({ path, importer: importers.get(path)?.[0] ?? '' }))
      .filter(({ path, importer }) => !TABLES.test(importer) && !SMALL_BY_KIND.test(path));
    expect(lonely, 'Join each with its importer.').toEqual([]);
  });

  it('that nothing imports is started by its address', () => {
    const imported = new Set(production.flatMap(({ imports }) => imports));
    const isStarted = (path: string) => {
      const address = new RegExp(`/${basename(path).replace(/\.tsx?$/, '')}[.$]`);
      return production.some(({ text }) => address.test(text));
    };
    const dead = production
      .filter(({ path }) => !imported.has(path) && !FRONT_DOORS.test(path) && !TOOL_CONFIG.test(path))
      .filter(({ path }) => !isStarted(path));
    expect(dead.map(({ path }) => path)).toEqual([]);
  });
});

describe('the folders', () => {
  const folders = groupBy(files, ({ path }) => dirname(path));

  it(`hold ${FOLDER_FILES} files at most`, () => {
    const full = [...folders].filter(([, { length }]) => length > FOLDER_FILES);
    expect(full.map(([folder, { length }]) => ({ folder, length }))).toEqual([]);
  });

  it('hold no file that repeats the name of its folder', () => {
    const repeating = files.filter(({ path }) => {
      const folder = basename(dirname(path));
      const name = basename(path).split('.')[0] ?? '';
      return [folder, folder.replace(/s$/, '')].some(
        (word) => name === word || name.startsWith(`${word}-`) || name.endsWith(`-${folder}`),
      );
    });
    expect(repeating.map(({ path }) => path)).toEqual([]);
  });

  it('hold no families of files that differ by a prefix', () => {
    const families = [...folders].flatMap(([folder, those]) =>
      [...groupBy(those, ({ path }) => /^[a-z]+(?=-)/.exec(basename(path))?.[0] ?? '')]
        .filter(([prefix, { length }]) => prefix !== '' && length > FAMILY_FILES)
        .map(([prefix]) => `${folder}/${prefix}-…`),
    );
    expect(families).toEqual([]);
  });
});

describe('following one thing', () => {
  const bounded = Object.entries(WAYS).filter(([, { most }]) => most !== undefined);

  it.each(bounded)('%s touches few files', (_name, { starts, most }) => {
    const files = [...reach(starts).keys()];
    expect(files.length > Number(most) ? files : []).toEqual([]);
  });
});

describe('every front door', () => {
  it('is the only place that reads the environment', () => {
    expect(
      offenders(
        /process\.env/,
        files.filter(({ path }) => !FRONT_DOORS.test(path) && path !== 'schema/config/settings.ts'),
      ),
    ).toEqual([]);
  });

  it('is the only place where something opens: no other module starts work on import', () => {
    const quiet = production.filter(({ path }) => !/main\.ts$|start\.ts$|reader\.ts$/.test(path));
    expect(offenders(/^(await |void )/m, quiet)).toEqual([]);
  });
});

describe('the databases', () => {
  const OPENERS = /^schema\/db\/(open|file|remote|server\/transaction|process-lock|replica\/copy)\.ts$/;

  it('are opened in schema/db alone, but for the auth library', () => {
    const others = production.filter(({ path }) => !OPENERS.test(path) && !path.startsWith('api/web/auth'));
    expect(offenders(/from '(libsql|@libsql\/client)'/, others)).toEqual([]);
  });

  it('are declared with Drizzle, which only declarations and the auth library load', () => {
    const others = production.filter(
      ({ path }) => !/^schema\/(catalogue|accounts)\/tables\/|^api\/web\/auth\//.test(path),
    );
    expect(offenders(/^(?!import type\b).*from 'drizzle-orm|^import (?!type\b).*from '.*\/tables\//m, others)).toEqual(
      [],
    );
  });

  it('are written through db.write: no interactive transaction, no batch of another library', () => {
    const others = production.filter(({ path }) => !OPENERS.test(path));
    expect(offenders(/\.transaction\(|\.batch\(|BEGIN IMMEDIATE/, others)).toEqual([]);
  });
});

describe('the code', () => {
  it('silences no type and swallows no error', () => {
    expect(offenders(/@ts-(ignore|nocheck|expect-error)|\bas any\b|: any(\[\]|[,;)=>]|$)/m, production)).toEqual([]);
    expect(offenders(/catch *(\([^)]*\))? *\{ *\}|\.catch\(\(\) *=> *(\{ *\}|undefined|null)\)/, production)).toEqual(
      [],
    );
  });

  // Where a volume was removed it never ends, and the synchronous one stops the whole process.
  it("makes folders with ensureFolder, not with Node's recursive mkdir", () => {
    expect(offenders(/mkdir(Sync)?\([^;]*recursive: true/, production)).toEqual([]);
  });

  it('says what each exported function is for', () => {
    const bare = production.flatMap(({ path, text }) =>
      [...text.matchAll(/(.*)\nexport (?:async )?function\*? (\w+)/g)]
        .filter(([, before = '']) => !/\*\/\s*$|^\s*\/\/ biome-ignore /.test(before))
        .map(([, , name]) => `${path} ${name}`),
    );
    expect(bare).toEqual([]);
  });

  it('leaves no note of work not done', () => {
    expect(offenders(/\b(TODO|FIXME|XXX|debugger)\b|not (yet )?implemented/i, production)).toEqual([]);
  });
});

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** The parts of a room as the first drawing of its README names them: line by line, each line from the left. */
function readDrawing(readme: string): string[] {
  const [, drawing = ''] = readme.split('```');
  const names = [...drawing.matchAll(/([a-z][\w-]*)(?:\/|\.ts\b)/g)].map(([, name = '']) => name);
  return [...new Set(names)];
}

/** Imports between parts of a room whose target is not drawn further on, or not drawn at all. */
function findUpward(all: SourceFile[], room: string, drawn: readonly string[]): string[] {
  const partOf = (path: string) =>
    path.startsWith(`${room}/`) ? (path.split('/')[1] ?? '').replace(/\.tsx?$/, '') : '';
  return all.flatMap(({ path, imports }) =>
    imports
      .map((target) => ({ target, from: partOf(path), to: partOf(target) }))
      .filter(({ from, to }) => from !== '' && to !== '' && from !== to)
      .filter(({ from, to }) => !drawn.includes(from) || drawn.indexOf(from) >= drawn.indexOf(to))
      .map(({ target }) => `${path} -> ${target}`),
  );
}

/** The first cycle of imports as a path, or null. */
function findCycle(all: SourceFile[]): string[] | null {
  const byPath = new Map(all.map((file) => [file.path, file.imports]));
  const done = new Set<string>();
  const visit = (path: string, trail: string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return null;
    for (const target of byPath.get(path) ?? []) {
      const cycle = visit(target, [...trail, path]);
      if (cycle) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const path of byPath.keys()) {
    const cycle = visit(path, []);
    if (cycle) return cycle;
  }
  return null;
}
