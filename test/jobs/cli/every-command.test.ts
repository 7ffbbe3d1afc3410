import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProgram } from '../../../jobs/cli/program.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { runHere } from '../../support/run-command.ts';

interface Leaf {
  words: string[];
  command: Command;
}

const program = await makeProgram({ settings: () => readSettings({}), out: () => undefined, isTty: false });
const LEAVES = findLeaves(program).map((leaf) => [leaf.words.join(' '), leaf] as const);

function findLeaves(command: Command, words: string[] = []): Leaf[] {
  if (command.commands.length === 0) return [{ words, command }];
  return command.commands.flatMap((inner) => findLeaves(inner, [...words, inner.name()]));
}

/** Something that each argument and option takes by its form; nothing of the sort is there. */
function takes(name: string): string {
  if (name === 'source') return 'find-a-tender';
  return /^(credits|line|id)$/.test(name) ? '1' : 'nothing';
}

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
  for (const name of ['catalogue', 'accounts'] as const) await (await makeDatabase(folder.path, name)).close();
});
afterAll(() => folder.remove());

/** Refused before anything is done: one reason, and where to read on. */
async function isRefused(words: string[], reason: RegExp): Promise<void> {
  const { code, stdout, stderr } = await runHere({ DATA_DIR: folder.path }, ...words);
  expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
  expect(stderr).toMatch(reason);
  expect(stderr).toMatch(/^error: .+\n\(add --help for what is accepted\)\n$/);
}

describe.each(LEAVES)('%s', (_title, { words, command }) => {
  const args = command.registeredArguments;
  const needed = args.filter((argument) => argument.required).map((argument) => takes(argument.name()));
  const mandatory = command.options.filter((option) => option.mandatory);
  const must = (but?: string) =>
    mandatory.filter(({ long }) => long !== but).flatMap(({ long }) => [long ?? '', 'nothing']);

  it('refuses words too many or too few, and options that it has not, with 2', async () => {
    const all = args.map((argument) => takes(argument.name()));
    await isRefused([...words, ...all, 'one', 'more', ...must()], /too many arguments/);
    await isRefused([...words, ...needed, ...must(), '--bogus'], /unknown option '--bogus'/);
    if (needed.length > 0)
      await isRefused([...words, ...needed.slice(1), ...must()], /missing required argument|invalid/);
    for (const { long = '' } of mandatory)
      await isRefused([...words, ...needed, ...must(long)], new RegExp(`required option '${long} .*' not specified`));
  });

  it('takes no empty word for an argument or an option', async () => {
    for (const [at, argument] of args.entries()) {
      const given = args.slice(0, at).map((one) => takes(one.name()));
      const rest = needed.slice(at + 1);
      const reason = new RegExp(`'' is invalid for argument '${argument.name()}'. (Expected|Allowed)`);
      await isRefused([...words, ...given, '', ...rest, ...must()], reason);
    }
    for (const { long = '', required } of command.options)
      if (required)
        await isRefused([...words, ...needed, ...must(long), long, ''], /argument '' is invalid. (Expected|Allowed)/);
  });

  it('says the bounds of every number', async () => {
    for (const { long = '', required } of command.options) {
      if (!required || !/^--(limit|before|credits|cap|grace)$/.test(long)) continue;
      const reason = /Expected a (whole number|number of hours) from \d+ to \d+\./;
      for (const value of ['-1', '1e3', '9'.repeat(20), 'many'])
        await isRefused([...words, ...needed, ...must(long), `${long}=${value}`], reason);
    }
  });
});

it('every command is walked', () => {
  expect(LEAVES.length).toBeGreaterThan(38);
});
