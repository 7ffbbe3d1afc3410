import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchTrusting } from '../../../ingest/http/fetch.ts';
import { describeFault } from '../../../ingest/http/refusals.ts';
import { INTERMEDIATE_CERTIFICATE, INTERMEDIATE_FINGERPRINT } from '../../../ingest/sources/proactis/certificate.ts';
import { makeFolder } from '../../support/databases.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('skipped: no openssl on the PATH, which makes the certificates of a service');

let folder: Awaited<ReturnType<typeof makeFolder>>;
const servers: Server[] = [];
beforeAll(async () => {
  folder = await makeFolder();
  if (!hasOpenssl) return;
  makeAuthority('root');
  makeAuthority('intermediate', 'root');
  await makeLeaf('good', 30);
  await makeLeaf('expired', -1);
}, 30_000);
afterAll(async () => {
  for (const server of servers) server.close();
  await folder.remove();
});

const file = (name: string) => join(folder.path, name);
const openssl = (...args: string[]) =>
  execFileSync('openssl', args, { cwd: folder.path, stdio: ['ignore', 'pipe', 'ignore'] });

function makeAuthority(name: string, issuer?: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
  const by = issuer ? ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`] : [];
  openssl('req', '-x509', ...key, '-subj', `/CN=Example ${name}`, '-days', '30', '-out', `${name}.pem`, ...by);
}

/** A certificate for localhost, issued by the intermediate, that lasts so many days from now. */
async function makeLeaf(name: string, days: number): Promise<void> {
  await writeFile(file('names.cnf'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
  openssl('req', ...key, '-subj', '/CN=localhost', '-out', `${name}.csr`);
  const by = ['-CA', 'intermediate.pem', '-CAkey', 'intermediate.key', '-CAcreateserial', '-extfile', 'names.cnf'];
  openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-days', String(days), '-out', `${name}.pem`);
}

/** A service that sends its own certificate without the intermediate. */
async function serve(name: string, status = 200): Promise<string> {
  const [key, cert] = await Promise.all([readFile(file(`${name}.key`)), readFile(file(`${name}.pem`))]);
  const server = createServer({ key, cert }, (_request, response) =>
    response.writeHead(status).end('{"here":true}'),
  ).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

async function ask(url: string, certificates: string[]): Promise<string> {
  const options = { headers: {}, signal: new AbortController().signal, redirect: 'manual' as const };
  try {
    return await (await fetchTrusting(certificates)(url, options)).text();
  } catch (error) {
    return describeFault(error);
  }
}

describe.skipIf(!hasOpenssl)('a service that leaves the intermediate out of its chain', () => {
  it('is believed where the missing certificates are given, and by nobody else', async () => {
    const url = await serve('good');
    const [root, intermediate] = await Promise.all(
      ['root.pem', 'intermediate.pem'].map((name) => readFile(file(name), 'utf8')),
    );
    expect(await ask(url, [root ?? '', intermediate ?? ''])).toBe('{"here":true}');
    expect(await ask(url, [])).toMatch(/an intermediate certificate is missing from the chain/);
    // The intermediate of other services is no reason to believe it.
    expect(await ask(url, [INTERMEDIATE_CERTIFICATE])).toMatch(/an intermediate certificate is missing from the chain/);
    expect(await ask(url, [root ?? ''])).toMatch(/an intermediate certificate is missing from the chain/);
  });

  it('is asked again over the same connection after an answer without a body', async () => {
    const url = await serve('good', 204);
    let connections = 0;
    servers.at(-1)?.on('secureConnection', () => connections++);
    const certificates = await Promise.all(
      ['root.pem', 'intermediate.pem'].map((name) => readFile(file(name), 'utf8')),
    );
    for (let times = 0; times < 3; times++) expect(await ask(url, certificates)).toBe('');
    expect(connections).toBe(1);
  });

  it('is told apart from one whose certificate has expired', async () => {
    const url = await serve('expired');
    const [root, intermediate] = await Promise.all(
      ['root.pem', 'intermediate.pem'].map((name) => readFile(file(name), 'utf8')),
    );
    expect(await ask(url, [root ?? '', intermediate ?? ''])).toMatch(/certificate has expired \(CERT_HAS_EXPIRED\)/);
  });
});

it('trusts besides the roots exactly the certificate that Sectigo publishes', () => {
  const { fingerprint256, subject, issuer, ca, validTo } = new X509Certificate(INTERMEDIATE_CERTIFICATE);
  expect(fingerprint256).toBe(INTERMEDIATE_FINGERPRINT);
  expect(subject).toContain('CN=Sectigo Public Server Authentication CA DV R36');
  expect(issuer).toContain('CN=Sectigo Public Server Authentication Root R46');
  expect(ca).toBe(true);
  expect(new Date(validTo).getUTCFullYear()).toBe(2036);
});
