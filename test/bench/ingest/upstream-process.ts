import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startUpstream } from '../../upstream/server.ts';
import { makeBenchData } from './world.ts';

/** The services with so many generated releases, in a process of their own: takes a count on standard input, says their address, ends with SIGTERM. */
const { releases } = JSON.parse(await text(process.stdin)) as { releases: number };
const upstream = await startUpstream({ data: makeBenchData(releases, 1) });
console.log(upstream.url);
await once(process, 'SIGTERM');
await upstream.close();
