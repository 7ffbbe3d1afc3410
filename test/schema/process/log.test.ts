import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { readSettings } from '../../../schema/config/settings.ts';
import { hideCredentials, openLog, openOutput } from '../../../schema/process/log.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';

const SECRETS = {
  COMPANIES_HOUSE_API_KEY: 'b1946ac9-2492-4d23-8ac4-4ae92483b0aa',
  AUTH_SECRET: 'a"secret\\that needs escaping, and is long',
  CATALOGUE_AUTH_TOKEN: 'catalogue/token+1',
  ACCOUNTS_AUTH_TOKEN: 'tok-26',
  MEILI_KEY: 'meili-master-key',
  EXPORTS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  EXPORTS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const API_KEY = `own_live_${'a1B2'.repeat(10)}`;

function logLines(write: (log: ReturnType<typeof openLog>) => void): string {
  let lines = '';
  const settings = readSettings({
    ...SECRETS,
    CATALOGUE_URL: 'libsql://catalogue.example',
    ACCOUNTS_URL: 'libsql://accounts.example',
    EXPORTS_URL: 's3://bucket',
    KEY_PREFIX: 'own_live_',
    LOG_LEVEL: 'trace',
  });
  write(openLog(settings, 'test', { write: (line) => (lines += line) }));
  return lines;
}

it('a line is one JSON object with its level, its process and what was said', () => {
  const line = JSON.parse(logLines((log) => log.warn({ source: 'find_a_tender', waitMs: 120_000 }, 'waiting')));
  expect(line).toMatchObject({ level: 40, name: 'test', source: 'find_a_tender', waitMs: 120_000, msg: 'waiting' });
});

it.each(Object.entries(SECRETS))('%s gets into no line, in whatever form an error carries it', (_name, secret) => {
  const cause = Object.assign(new Error(`refused ${secret}`), { config: { auth: secret } });
  const lines = logLines((log) => {
    log.error({ err: new Error(`asked with ${secret}`, { cause }) }, `failed: ${secret}`);
    log.child({ secret }).info({ url: `https://x.example/?a=${encodeURIComponent(secret)}` }, 'asked');
    log.info({ sent: Buffer.from(`${secret}:`).toString('base64') });
  });
  for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    expect(lines).not.toContain(form);
  expect(lines).not.toContain(Buffer.from(`${secret}:`).toString('base64'));
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).level),
  ).toEqual([50, 30, 30]);
});

it.each([
  ['an API key', API_KEY, { key: API_KEY }],
  ['an API key from before its prefix was set', 'a1B2a1B2', { key: API_KEY.replace('own', 'svc') }],
  ['a bearer header', 'abcdef.ghi-jkl', { headers: { Authorization: 'Bearer abcdef.ghi-jkl' } }],
  ['a user and a password in words', 'dXNlcjpwYXNz', { err: new Error('refused Basic dXNlcjpwYXNz') }],
  ['a header without a scheme', 'hush-hush', { headers: { authorization: 'hush-hush' } }],
  ['a header for a proxy', 'hush-hush', { headers: { 'proxy-authorization': 'hush-hush' } }],
  ['a cookie', 's=value', { req: { headers: { cookie: 's=value; t=other' } } }],
  ['a cookie that is set', 's=value', { res: { headers: { 'set-cookie': 's=value; Path=/' } } }],
  ['a password', 'correct horse', { body: { password: 'correct horse' } }],
  ['a password with a quotation mark', 'horse', { body: { password: 'correct "horse' } }],
  ['a token in an address', 'tok123', { url: 'libsql://db.example/?authToken=tok123&x=1' }],
  ['a signature in an address', 'deadbeef', { path: '/v1/exports/e/download?expires=1&signature=deadbeef' }],
  ['a question in an address', 'private', { url: '/v1/notices/search?query=private' }],
  ['an email address in an address', 'ann%40example.org', { url: '/sign-in?email=ann%40example.org' }],
  ['a password before a host', 'hunter2', { err: new Error('cannot reach https://operator:hunter2@db.example/x') }],
])('%s is hidden, and the line stays JSON', (_what, secret, members) => {
  const line = logLines((log) => log.info(members, 'said'));
  expect(line).not.toContain(secret);
  expect(JSON.parse(line)).toMatchObject({ msg: 'said' });
});

it('a secret too short to be one hides no word of a line', () => {
  let line = '';
  openLog({ LOG_LEVEL: 'info', CATALOGUE_AUTH_TOKEN: 'level' }, 'test', { write: (said) => (line += said) }).info(
    'here',
  );
  expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'here' });
});

it('what is no secret stays: an upstream address with its window', () => {
  const url =
    'https://www.find-tender.service.gov.uk/api/1.0/ocdsReleasePackages?updatedFrom=2026-11-20T00%3A00%3A00&limit=100';
  expect(JSON.parse(logLines((log) => log.info({ url })))).toMatchObject({ url });
});

it('the last words of a process that ends at once are in the log, in their order', async () => {
  const script = scriptArguments('test/schema/process/last-lines.ts');
  const { stdout } = await promisify(execFile)(process.execPath, script, { env: makeEnvironment({}) });
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['stopping', 'stopped']);
});

it('a log that is a file is added to', async () => {
  const folder = await makeFolder();
  const path = join(folder.path, 'log');
  fs.writeFileSync(path, '{"msg":"of the process before"}\n');
  const script = scriptArguments('test/schema/process/last-lines.ts');
  const child = spawn(process.execPath, script, {
    stdio: ['ignore', fs.openSync(path, 'a'), 'inherit'],
    env: makeEnvironment({}),
  });
  await once(child, 'close');
  const lines = fs.readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['of the process before', 'stopping', 'stopped']);
  await folder.remove();
});

/** A log on a disk that is full until there is room, and what it has in its file. */
async function logOnFullDisk() {
  const folder = await makeFolder();
  const path = join(folder.path, 'log');
  const log = openLog({ LOG_LEVEL: 'info' }, 'test', openOutput(fs.openSync(path, 'w')));
  const written = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  const read = () => {
    const lines = fs.readFileSync(path, 'utf8').split('\n').filter(Boolean);
    return lines.map((line): string => JSON.parse(line).msg);
  };
  return { log, read, makeRoom: () => written.mockRestore(), remove: folder.remove };
}

it('a full disk ends no process, and what waited for room is written in its order', async () => {
  const { log, read, makeRoom, remove } = await logOnFullDisk();
  for (const said of ['answering', 'stopping']) log.info(said);
  makeRoom();
  log.info('stopped');
  expect(read()).toEqual(['answering', 'stopping', 'stopped']);
  await remove();
});

it('what waited for room is written though no line follows, also where so much waited that lines were lost', async () => {
  const { log, read, makeRoom, remove } = await logOnFullDisk();
  const lines = Array.from({ length: 5_000 }, (_, number) => `${number}`.padStart(1_000));
  for (const line of lines) log.info(line);
  makeRoom();
  await expect.poll(() => read().length).toBeGreaterThan(0);
  log.info('there is room');
  const said = read();
  expect(said).toEqual([...lines.slice(0, said.length - 1), 'there is room']);
  expect(said.length).toBeLessThan(lines.length);
  await remove();
});

it.skipIf(process.platform !== 'linux')(
  'a reader of the log that stops reading stops no process; what waited is written in its order',
  async () => {
    const script = [process.execPath, ...scriptArguments('test/schema/process/unread-lines.ts')];
    // Its log is a pipe of the shell; what reads it begins once a line comes on file 3.
    const shell = spawn('sh', ['-c', '"$@" | { read -r _ <&3; cat; }', 'sh', ...script], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      env: makeEnvironment({}),
    });
    const [input, output, errors, reader] = shell.stdio as unknown as [Writable, Readable, Readable, Writable];
    expect(String((await once(errors, 'data'))[0])).toBe('still here\n');
    let log = '';
    output.on('data', (text) => {
      log += text;
    });
    reader.end('\n');
    await expect.poll(() => log).toContain('"line":1999,');
    input.end();
    await once(shell, 'close');
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.flatMap(({ line }) => line ?? [])).toEqual(Array.from({ length: 2_000 }, (_, line) => line));
  },
);

it('a long line is scrubbed in time, whatever it is made of', () => {
  const long = 300_000;
  for (const piece of ['a.', 'Basic ', '?a-', '&key', '"password":', 'x://', '"password":"\\\\', 'a+b@', ' '])
    expect(hideCredentials(piece.repeat(long / piece.length)).length).toBeGreaterThan(1_000);
});
