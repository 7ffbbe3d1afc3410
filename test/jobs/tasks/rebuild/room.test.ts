import disk, { stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyJobs, findTemplate, rebuild } from './filled-services.ts';

it('a rebuild in files begins only where a second catalogue has room', async () => {
  const { jobs, folder, close } = await copyJobs(await findTemplate());
  const { size } = await stat(join(folder, 'catalogue.db'));
  const { statfs } = disk;
  const useRoom = (bavail: number) => {
    disk.statfs = (async () => ({ bavail, bsize: 1 })) as unknown as typeof statfs;
    syncBuiltinESMExports();
  };
  try {
    useRoom(size / 2);
    await expect(rebuild(jobs, { onProgress: () => expect.fail('it began') })).rejects.toThrow(
      /^a rebuild needs \d+ bytes on the disk of .+, and [\d.]+ are free: make room there first$/,
    );
    useRoom(2 * size);
    expect(await rebuild(jobs)).toMatchObject({ generation: 2, moved: true });
  } finally {
    disk.statfs = statfs;
    syncBuiltinESMExports();
    await close();
  }
});
