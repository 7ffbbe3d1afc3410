import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readSettings } from '../../schema/config/settings.ts';
import { makeFolder } from '../support/databases.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { openFilledServices } from './fill.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const data = {
  name: 'a small sample',
  folder: 'demo',
  load: vi.fn(async () => makeSample({ notices: 20, buyers: 5, companies: 10 })),
};
const open = () =>
  openFilledServices(data, (more) =>
    readSettings({ DATA_DIR: folder.path, CONTACT: 'demo', LOG_LEVEL: 'silent', ...more }),
  );

it('a demo uses the data of an earlier run, until a newer program reads releases differently', async () => {
  await (await open()).close();
  const again = await open();
  expect(data.load).toHaveBeenCalledTimes(1);
  await again.catalogue.write([{ sql: "UPDATE meta SET value = 'older' WHERE name = 'reading'" }]);
  await again.close();
  await (await open()).close();
  expect(data.load).toHaveBeenCalledTimes(2);
  await (await open()).close();
  expect(data.load).toHaveBeenCalledTimes(2);
});

it('a demo whose recordings lack the profiles of companies in the register says so, and is filled', async () => {
  const lines = vi.spyOn(console, 'log').mockReturnValue();
  const other = await makeFolder();
  try {
    const load = async () => ({ ...makeSample({ notices: 60, buyers: 5, companies: 40 }), profiles: new Map() });
    const services = await openFilledServices({ ...data, name: 'without profiles', load }, (more) =>
      readSettings({ DATA_DIR: other.path, CONTACT: 'demo', LOG_LEVEL: 'silent', ...more }),
    );
    const filled = await services.catalogue.read({ sql: "SELECT value FROM meta WHERE name = 'demo'", args: [] });
    await services.close();
    expect(filled).toHaveLength(1);
    expect(lines.mock.calls.join('\n')).toMatch(
      /profiles .*; could not be read: \S+ serves no profile \(404\) of \d{8} and others in the register/,
    );
  } finally {
    lines.mockRestore();
    await other.remove();
  }
});
