import { expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { buildHouse } from '../../support/services.ts';

it('an answer of any door says that an answer is what its type says, and over TLS that nothing else is spoken', async () => {
  const house = await buildHouse();
  const secure = await buildHouse({
    settings: { BASE_URL: 'https://data.example', APP_URL: 'https://data.example' },
  });
  for (const [{ url }, hsts] of [
    [house, null],
    [secure, 'max-age=31536000; includeSubDomains'],
  ] as const)
    for (const path of [
      '/v1/status',
      '/v1/balance',
      '/mcp/',
      '/openapi.json',
      '/server.json',
      '/nothing',
      `/v1/${'a'.repeat(60_000)}`,
    ]) {
      const { headers } = await ask(url, path);
      expect([
        path.slice(0, 20),
        headers.get('x-content-type-options'),
        headers.get('strict-transport-security'),
      ]).toEqual([path.slice(0, 20), 'nosniff', hsts]);
    }
  await secure.close();
  await house.close();
});
