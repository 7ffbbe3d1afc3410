import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { makeWebApp } from '../../../api/web/app.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

it('a request of a page and its response have the prototypes of Express from the beginning', async () => {
  const kept: boolean[] = [];
  const web = async (services: BuiltServer['services']) => {
    const app = await makeWebApp(services);
    const handler: RequestListener = (request, response) => {
      const both = [request, response];
      const before = both.map((one) => Object.getPrototypeOf(one));
      app.handler(request, response);
      kept.push(...both.map((one, index) => Object.getPrototypeOf(one) === before[index]));
    };
    return { ...app, handler };
  };
  const server = await buildServer({ web });
  const response = await fetch(`${server.url}/robots.txt`);
  await server.close();
  expect([response.status, kept]).toEqual([200, [true, true]]);
});
