import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatEnvExample } from '../../../jobs/cli/installation/settings.ts';
import { SETTINGS } from '../../../schema/config/settings.ts';
import { ANSWERING_HEAP } from '../../../schema/process/heap.ts';
import { ROOT } from '../../support/source-files.ts';

const read = (path: string) => readFile(join(ROOT, path), 'utf8');

it('.env.example holds every setting with its sentence (cli settings > .env.example)', async () => {
  expect(await read('.env.example')).toBe(formatEnvExample());
});

it('docker-compose.yml names only settings that exist', async () => {
  const named = [...(await read('docker-compose.yml')).matchAll(/^ {4,}([A-Z][A-Z_]+):/gm)].map(
    ([, name = '']) => name,
  );
  const foreign = [
    'NODE_TAG',
    'MEILI_MASTER_KEY',
    'MEILI_NO_ANALYTICS',
    'MEILI_ENV',
    'SQLD_NODE',
    'SQLD_ADMIN_LISTEN_ADDR',
  ];
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in SETTINGS) && !foreign.includes(name))).toEqual([]);
});

it('docker-compose.yml starts the API with the heap that it is started with elsewhere', async () => {
  expect(await read('docker-compose.yml')).toContain(`[node, ${ANSWERING_HEAP.join(', ')}, dist/api/main.js]`);
});

it('docker-compose.yml passes every setting on, has no secret, and names images that cannot change', async () => {
  const text = await read('docker-compose.yml');
  expect(text).toMatch(/env_file:\n {4}- path: \.env\n/);
  // A default of a key or token would be a key that everybody knows.
  expect([...text.matchAll(/^.*(?:KEY|SECRET|TOKEN)[^\n]*\$\{\w+:-\w.*$/gm)].map(([line]) => line)).toEqual([]);
  const images = [...text.matchAll(/image: (\S+)/g)].map(([, image]) => image);
  expect(images.length).toBeGreaterThan(1);
  for (const image of [...images, ...(await read('Dockerfile')).matchAll(/ARG NODE_TAG=(\S+)/g)])
    expect(String(image)).toMatch(/[:=]v?\d+\.\d+\.\d+/);
  const services = text
    .slice(text.indexOf('\nservices:'), text.indexOf('\nvolumes:'))
    .split(/\n {2}(?=[a-z])/)
    .slice(1);
  for (const service of services) expect(service).toMatch(/mem_limit: \d+g|<<: \*libsql/);
});
