import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validate } from '@readme/openapi-parser';
import type { Command } from 'commander';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { compileTools } from '../api/mcp/tools.ts';
import { makeOpenApi } from '../api/openapi/document.ts';
import { operations } from '../api/operations/index.ts';
import { makeProgram } from '../jobs/cli/program.ts';
import * as auth from '../schema/accounts/tables/auth.ts';
import * as exportTables from '../schema/accounts/tables/exports.ts';
import * as ledger from '../schema/accounts/tables/ledger.ts';
import * as payments from '../schema/accounts/tables/payments.ts';
import * as ingestState from '../schema/catalogue/tables/ingest-state.ts';
import * as parties from '../schema/catalogue/tables/parties.ts';
import * as procurement from '../schema/catalogue/tables/procurement.ts';
import * as releases from '../schema/catalogue/tables/releases.ts';
import { readSettings, SETTINGS } from '../schema/config/settings.ts';
import { knownOperations } from './support/known-operations.ts';
import { ROOMS, ROOT } from './support/source-files.ts';

const settings = readSettings({ BASE_URL: 'https://api.example.org' });
const document = () => makeOpenApi(settings, knownOperations);
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe('the public contract', () => {
  it('changes in OpenAPI only by a reviewed diff', async () => {
    await expect(pretty(document())).toMatchFileSnapshot('__snapshots__/openapi.json');
  });

  it('changes in the tool list only by a reviewed diff', async () => {
    const tools = [...compileTools(knownOperations, settings.TOOL_PREFIX).values()].map(({ tool }) => tool);
    await expect(pretty(tools)).toMatchFileSnapshot('__snapshots__/tools.json');
  });

  it('is a valid OpenAPI document', async () => {
    const result = await validate(structuredClone(document()) as unknown as Parameters<typeof validate>[0]);
    expect(result).toMatchObject({ valid: true });
    expect(document()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });
});

function commandLine(command: Command, parent: string): string {
  const words = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return `| \`${[parent + command.name(), ...words].join(' ')}\` | ${command.description()} |`;
}

/** A watch is free, what it delivers is not. */
const LATER: Readonly<Record<string, string>> = { create_watch: '2 a delivery' };

/** What the price of an operation is for, where that is not the call. */
const PER: Readonly<Record<string, string>> = {
  bulk_export: ' per 1,000 rows',
  list_changes: ' per started 100 items',
  lookup_companies: ' per company found',
};

const program = await makeProgram({ settings: () => settings, out: () => undefined, isTty: false });

/** The lists in the manuals that are derived from the code. */
const DERIVED: Record<string, () => string> = {
  operations: () =>
    [
      `| request | what it answers | credits | MCP tool, after \`${settings.TOOL_PREFIX}\` |`,
      '|---|---|---|---|',
      ...operations.flatMap(({ name, credits, bindings, restOnly }) =>
        bindings.map(({ method, path, summary }) => {
          const price = LATER[name] ?? (credits === 0 ? 'free' : `${credits}${PER[name] ?? ''}`);
          return `| \`${method} /v1${path.replace(/:(\w+)/g, '{$1}')}\` | ${summary} | ${price} | ${restOnly ? '-' : name} |`;
        }),
      ),
    ].join('\n'),
  commands: () => {
    const lines = program.commands.flatMap((command) => [
      ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [commandLine(command, '')] : []),
      ...command.commands.map((inner) => commandLine(inner, `${command.name()} `)),
    ]);
    return ['| `npm run cli --` | what it does |', '|---|---|', ...lines].join('\n');
  },
  settings: () =>
    [
      '| setting | default | |',
      '|---|---|---|',
      ...Object.entries(SETTINGS).map(
        ([name, { about, fallback }]) => `| \`${name}\` |${fallback ? ` \`${fallback}\` ` : ' '}| ${about} |`,
      ),
    ].join('\n'),
};

/** The manual that each list stands in. */
const LISTED_IN: Record<string, string> = {
  operations: 'README.md',
  commands: 'jobs/README.md',
  settings: 'jobs/README.md',
};

const tablesOf = (module: object) =>
  Object.values(module).filter((value): value is SQLiteTable => is(value, SQLiteTable));

/** Every table of both databases, by module. */
const TABLES = [auth, exportTables, ledger, payments, ingestState, parties, procurement, releases].flatMap(tablesOf);

/** Bytes. The one at the top is read in five minutes. */
const MANUAL_BYTES = { top: 8_000, room: 25_000 };
const MANUALS = ['README.md', ...ROOMS.map((room) => `${room}/README.md`)];
/** A path in a manual: `index/drain`, `cli/program.ts`. What begins with a slash is an address; `dist/` is what a build makes. */
const PATH_NAME = /(?<![\w/.$<-])(?!dist\/)(?:[a-z_][a-z_-]+\/)+[a-z_][a-z_-]+(?:\.\w+)*/g;
const PATHS = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
);
const readManual = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the manuals', () => {
  it.each(MANUALS)('%s is short enough', (path) => {
    const most = path.includes('/') ? MANUAL_BYTES.room : MANUAL_BYTES.top;
    expect(Buffer.byteLength(readManual(path))).toBeLessThanOrEqual(most);
  });

  it.each(MANUALS)('%s links only to what there is', (path) => {
    const links = [...readManual(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, target = '', anchor]) => {
      const file = target ? join(dirname(path), target) : path;
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(readManual(file)).includes(anchor);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(MANUALS)('%s names only files and folders that there are', (path) => {
    const names = [...readManual(path).matchAll(PATH_NAME)].map(([name]) => name);
    const known = PATHS.join('\n');
    expect(names.filter((name) => !new RegExp(`(^|/)${name}(/|\\.tsx?$|$)`, 'm').test(known))).toEqual([]);
  });

  it.each(ROOMS)('%s/README.md names every folder of its room', (room) => {
    const folders = readdirSync(join(ROOT, room), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const text = readManual(`${room}/README.md`);
    expect(folders.map(({ name }) => name).filter((name) => !text.includes(`${name}/`))).toEqual([]);
  });

  it('name every table, and draw only columns that there are', () => {
    const text = readFileSync(join(ROOT, 'schema/README.md'), 'utf8');
    const columns = new Map(
      TABLES.map(getTableConfig).map((table) => [table.name, table.columns.map(({ name }) => name)]),
    );
    expect([...columns.keys()].filter((name) => !new RegExp(`[\`\\s]${name}[\`\\s]`).test(text))).toEqual([]);
    const drawn = [...text.matchAll(/^ {2}(\w+) \{ (.*) \}$/gm)];
    expect(drawn.length).toBeGreaterThan(5);
    for (const [, name = '', body = ''] of drawn) {
      const names = [...body.replaceAll(/"[^"]*"/g, '').matchAll(/\b(?:text|integer|real|blob) (\w+)/g)];
      expect(
        names.map(([, column = '']) => column).filter((column) => !columns.get(name)?.includes(column)),
        name,
      ).toEqual([]);
    }
  });

  it.each(Object.entries(DERIVED))('list the %s that the code has (UPDATE_README=1 writes them)', (name, derive) => {
    const file = join(ROOT, LISTED_IN[name] ?? '');
    const text = readFileSync(file, 'utf8');
    const section = new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(<!-- /${name} -->)`);
    const expected = text.replace(section, (_whole, open: string, close: string) => `${open}\n${derive()}\n\n${close}`);
    expect(section.test(text)).toBe(true);
    if (process.env.UPDATE_README) writeFileSync(file, expected);
    else expect(text).toBe(expected);
  });
});
