import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flushMeanwhile } from '../../../jobs/backup/flush.ts';
import { ExpectedFault } from '../../../jobs/process/services.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';

const canTrace = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) console.warn('flush.test: no strace that works here, so no disk fails.');

async function makeFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flush-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'copy.part');
  await writeFile(file, '');
  return file;
}

describe('a file that goes to the disk while it is written', () => {
  it('is written as any other', async () => {
    const file = await makeFile();
    expect(await flushMeanwhile(file, () => writeFile(file, 'a copy').then(() => 'written'))).toBe('written');
    await expect(flushMeanwhile(file, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  });

  it('is a failure where the disk refuses it', async () => {
    const refused = flushMeanwhile('/dev/zero', async () => 'written');
    await expect(refused).rejects.toThrow(
      new ExpectedFault(
        'the disk of /dev cannot say when a file is on it, and a copy there is no backup: take another (EINVAL)',
      ),
    );
  });

  it.skipIf(!canTrace)('is a failure where a flush fails that was under way when all was written', async () => {
    const file = await makeFile();
    // The second flush begins while the file is written, and ends later.
    const inject = ['-P', file, '-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:delay_enter=500000:when=2'];
    const program = [process.execPath, ...scriptArguments('test/jobs/backup/flush-file.ts'), file];
    const { stdout } = spawnSync('strace', ['-f', '-o', '/dev/null', ...inject, ...program], {
      env: makeEnvironment({}),
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^ExpectedFault: the disk of .* is full or fails: .* \(EIO\)\n$/);
  });
});
