import { execFile } from 'node:child_process';
import { chmod, cp, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LATE_OPTIMISING } from '../../schema/process/child.ts';
import { FOLDERS, makeFolder } from './databases.ts';
import { ROOT, SOURCES } from './source-files.ts';

/** The variable that tells the workers of a test run where the compiled project is. */
const VARIABLE = 'COMPILED_PROJECT';
/** A file system in memory, and how many free bytes it needs: several times what a run uses. */
const MEMORY = { path: '/dev/shm', bytes: 4 * 2 ** 30 };

/**
 * Before a test run: creates a folder for all of its folders, so that nothing is left of a failed test, and compiles the whole
 * project once, since a compiled process starts in a third of the time. Returns a function that removes both.
 */
export async function setup(): Promise<() => Promise<void>> {
  const all = await makeFolder(await findQuickFolder());
  const folder = join(all.path, 'compiled');
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const options = ['--noEmit', 'false', '--noCheck', '--sourceMap', '--outDir', folder];
  // It ends before its memory is worth collecting, which took a third of its processor time.
  const env = { ...process.env, GOGC: 'off' };
  const compile = promisify(execFile)(tsc, ['-p', join(ROOT, 'test/tsconfig.json'), ...options], { env });
  await compile.catch(async ({ message, stdout }: { message: string; stdout: string }) => {
    await all.remove();
    throw new Error(`the project cannot be compiled: ${stdout || message}`);
  });
  for (const assets of ['schema/migrations', 'api/web/assets', 'package.json']) {
    await cp(join(ROOT, assets), join(folder, assets), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // One test runs a command as another user.
  await chmod(all.path, 0o755);
  process.env[VARIABLE] = folder;
  process.env[SOURCES] = ROOT;
  process.env[FOLDERS] = all.path;
  return all.remove;
}

/** Memory where there is plenty, unless another place is set: a durable write waits milliseconds for a disk. */
async function findQuickFolder(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir();
  const free = await statfs(MEMORY.path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= MEMORY.bytes ? MEMORY.path : tmpdir();
}

/** Where the compiled form of a script of the project (`jobs/main.ts`) is, or undefined outside a test run. */
export function findCompiled(script: string): string | undefined {
  const folder = process.env[VARIABLE];
  return folder && join(folder, script.replace(/\.tsx?$/, '.js'));
}

/** The same for a bench, whose figures are those of the service as it runs. @throws Error where nothing is compiled */
export function needCompiled(script: string): string {
  const compiled = findCompiled(script);
  if (compiled === undefined) throw new Error('the project is compiled before a bench');
  return compiled;
}

/**
 * Node's arguments for a script of the project: compiled in a test run, through the loader outside one. Most processes of a test
 * end soon, and V8's optimising compiler takes a fifth of their processor time.
 */
export function scriptArguments(script: string): string[] {
  const compiled = findCompiled(script);
  return compiled ? [...LATE_OPTIMISING, compiled] : ['--import', 'tsx', join(ROOT, script)];
}
