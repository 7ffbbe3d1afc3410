import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../api/operations/index.ts';
import { listServices, sources } from '../ingest/sources/index.ts';
import bodies from '../schema/reference/public-bodies.json' with { type: 'json' };
import { ROOT, readSources } from './support/source-files.ts';

/** Names of a table's files: everything in its folder but the table itself. */
function rowFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'index.ts')
    .map((entry) => entry.name.replace(/\.ts$/, ''))
    .sort();
}

const byName = operations.map((operation) => [operation.name, operation] as const);

const OPERATIONS = join(ROOT, 'api/operations');
const singular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '');
const wordsOf = (text: string) => text.split(/[-_]/).map(singular);

/** Files of operations, as `companies/lookup.ts`. */
function operationFiles(): string[] {
  return readdirSync(OPERATIONS, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && readFileSync(join(OPERATIONS, path), 'utf8').includes('= defineOperation('),
  );
}

/** Whether a file's name is the operation's, with or without the words of the folder that it lies in. */
function isNamedLike(path: string, name: string): boolean {
  const [folder = '', file = ''] = path.replace(/\.ts$/, '').split('/');
  const words = wordsOf(name);
  const own = wordsOf(file).join();
  return own === words.join() || own === words.filter((word) => !wordsOf(folder).includes(word)).join();
}

describe('the operations table', () => {
  it('holds every operation in its folders, each in a file named like it', () => {
    const files = operationFiles();
    expect(files.length).toBe(operations.length);
    for (const { name } of operations)
      expect(
        files.filter((path) => isNamedLike(path, name)),
        name,
      ).toHaveLength(1);
  });

  it('has no two rows, operationIds or addresses alike', () => {
    const bindings = operations.flatMap((operation) => operation.bindings);
    const unique = (values: string[]) => expect(values.length).toBe(new Set(values).size);
    unique(operations.map(({ name }) => name));
    unique(bindings.map(({ operationId }) => operationId));
    unique(bindings.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`));
  });

  it.each(byName)('%s describes itself', (_name, { title, description, input, output }) => {
    expect(title.length).toBeLessThanOrEqual(60);
    expect(description.length).toBeGreaterThanOrEqual(60);
    expect(description.length).toBeLessThanOrEqual(700);
    expect(description).toMatch(/^[A-Z].*\.$/s);
    for (const [field, schema] of Object.entries(input.shape)) {
      expect((schema as { description?: string }).description, `input ${field} has no description`).toBeTruthy();
    }
    expect(Object.keys(output.shape).length).toBeGreaterThan(0);
  });

  it.each(byName)('%s takes by every address only what it knows', (_name, { input, bindings, credits }) => {
    expect(Number.isInteger(credits) && credits >= 0).toBe(true);
    for (const binding of bindings) {
      for (const name of binding.inputs) expect(Object.keys(input.shape)).toContain(name);
      const inPath = [...binding.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      for (const name of inPath) expect(binding.inputs).toContain(name);
      for (const name of Object.keys(binding.example)) expect(binding.inputs).toContain(name);
    }
  });
});

/** The table itself, and the table of settings, which holds the addresses and keys that an operator may change. */
const isOfSources = (path: string) => path.startsWith('ingest/sources/') || path === 'schema/config/ingest-settings.ts';

/** The part of its host that no other site has: `find-tender`. */
const nameOf = (address: string) => new URL(address).hostname.split('.')[1] ?? expect.fail(address);

describe('the sources table', () => {
  it('is the only place that names a source', () => {
    const ids = sources.map(({ id }) => id);
    const camel = ids.map((id) => id.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
    const settings = ids.map((id) => `${id.toUpperCase()}_[A-Z_]+`);
    const commands = sources.map(({ cliName }) => `'${cliName}'`);
    const named = new RegExp(`(?<!\\w)(${[...ids, ...camel, ...settings, ...commands].join('|')})(?!\\w)`);
    const files = readSources().filter(({ path, room }) => room !== 'test' && !isOfSources(path));
    const found = files.filter(({ text }) => named.test(text)).map(({ path }) => path);
    expect(found).toEqual([]);
  });

  it('is the only place that knows the address of a service', () => {
    const names = listServices().map(({ homepage }) => nameOf(homepage));
    const files = readSources().filter(({ path, room }) => room !== 'test' && !isOfSources(path));
    const found = files.filter(({ text }) => names.some((name) => text.toLowerCase().includes(name)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('is the only place of ingest that knows the form of a service’s numbers', () => {
    // The first run of digits or letters of a stated length, with what divides it from the next: `\d{6}-`.
    const forms = listServices().flatMap(({ notices }) => /(?:\\d|\[[^\]]+\])\{\d+\}-/.exec(notices.id.source) ?? []);
    expect(forms.length).toBeGreaterThan(1);
    const files = readSources().filter(({ path, room }) => room === 'ingest' && !isOfSources(path));
    const found = files.filter(({ text }) => forms.some((form) => text.includes(form)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('holds every file of its folder', () => {
    expect(sources.map(({ id }) => id.replaceAll('_', '-')).sort()).toEqual(rowFiles('ingest/sources'));
  });

  it.each(sources.map((source) => [source.id, source] as const))(
    '%s names its licence and its timetable',
    (_id, source) => {
      expect(source.licenceUrl).toMatch(/^https:/);
      expect(source.attribution.length).toBeGreaterThan(20);
      expect(source.timetable).toMatch(/^(\S+ ){4}\S+$/);
    },
  );
});

describe('the lists of public bodies', () => {
  it('names every central body as the national lists do', () => {
    const listed = new Set([...bodies.national, ...bodies.england].map(([name]) => name));
    expect(bodies.central.filter((name) => !listed.has(name))).toEqual([]);
    expect(new Set(bodies.central).size).toBe(bodies.central.length);
  });
});
