import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flushMeanwhile } from '../../../jobs/backup/flush.ts';
import { ExpectedFault } from '../../../jobs/process/services.ts';

describe('a file that goes to the disk while it is written', () => {
  it('is written as any other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flush-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'copy.part');
    await writeFile(file, '');
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
});
