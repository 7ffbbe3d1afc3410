import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeSequence } from '../../../schema/process/serve.ts';
import { makeFolder } from '../../support/databases.ts';
import { ROOT } from '../../support/source-files.ts';

describe('a sequence', () => {
  it('begins a piece of work when the previous one has ended', async () => {
    const run = makeSequence();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
    };
    await Promise.all([run(work('one')), run(work('two'))]);
    expect(steps).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  it('gives each caller its own result, and continues after a failure', async () => {
    const run = makeSequence();
    const failing = run(() => Promise.reject(new Error('lost')));
    const working = run(async () => 2);
    await expect(failing).rejects.toThrow('lost');
    expect(await working).toBe(2);
  });
});

describe('a process that serves its parent', () => {
  it('ends without a word where the parent has gone before it is ready', async () => {
    const folder = await makeFolder();
    const script = join(folder.path, 'worker.mts');
    const serve = pathToFileURL(`${ROOT}/schema/process/serve.ts`);
    await writeFile(
      script,
      `import { setImmediate } from 'node:timers/promises';
      import { serveParent } from '${serve}';
      while (process.connected) await setImmediate();
      serveParent(() => ({}));`,
    );
    const child = fork(script, {
      execArgv: ['--import', import.meta.resolve('tsx')],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.disconnect();
    const said = text(child.stderr as Readable);
    expect([await once(child, 'exit'), await said]).toEqual([[0, null], '']);
    await folder.remove();
  });
});
