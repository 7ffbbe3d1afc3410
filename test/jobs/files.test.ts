import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { formatEnvExample } from '../../jobs/env-example.ts';
import { SETTINGS } from '../../schema/env.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

it('.env.example holds every setting with its sentence (cli settings > .env.example)', async () => {
  expect(await read('.env.example')).toBe(formatEnvExample());
});

it('docker-compose.yml names only settings that exist', async () => {
  const named = [...(await read('docker-compose.yml')).matchAll(/^ {4,}([A-Z][A-Z_]+):/gm)].map(
    ([, name = '']) => name,
  );
  const foreign = ['MEILI_MASTER_KEY', 'MEILI_NO_ANALYTICS', 'MEILI_ENV', 'SQLD_NODE', 'SQLD_DB_PATH'];
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in SETTINGS) && !foreign.includes(name))).toEqual([]);
});
