import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeServerEntry } from '../../../api/mcp/server.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { ask } from '../../support/client.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';
import { ROOT } from '../../support/source-files.ts';
import { testRows } from '../test-operations.ts';
import { connect } from './clients.ts';

describe('the entry of the MCP registry', () => {
  let server: BuiltServer;
  beforeAll(async () => {
    server = await buildServer({ operations: testRows });
  });
  afterAll(() => server.close());

  it('is in the project as it is made for an example, within what the registry allows', () => {
    const entry = makeServerEntry(readSettings({ BASE_URL: 'https://api.example.org' }));
    expect(JSON.parse(readFileSync(join(ROOT, 'server.json'), 'utf8'))).toEqual(entry);
    expect(entry.name).toBe('org.example.api/uk-procurement-data');
    expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(entry.description.length).toBeLessThanOrEqual(100);
    expect(entry.title.length).toBeLessThanOrEqual(100);
    expect(entry.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(URL.canParse(entry.websiteUrl)).toBe(true);
  });

  it('is served for this server, and leads a client to its tools', async () => {
    const { status, body, headers } = await ask(server.url, '/server.json');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const [remote] = body.remotes;
    expect(remote.type).toBe('streamable-http');
    const [header] = remote.headers;
    expect([header.name, header.value]).toEqual(['Authorization', 'Bearer {api_key}']);
    const url = remote.url.replace(server.settings.BASE_URL, server.url);
    const client = await connect('2.x legacy', url, header.value.replace('Bearer {api_key}', server.key));
    expect((await client.listTools()).tools.length).toBe(testRows.length);
    await client.close();
  });
});
