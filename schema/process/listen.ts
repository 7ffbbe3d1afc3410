import type { AddressInfo, Server } from 'node:net';
import { BadSettings, type Settings } from '../config/settings.ts';

/**
 * Listens and returns the address in use, with the chosen port if 0 was given. @throws BadSettings where the port or address
 * cannot be used.
 */
export async function listen<
  Host extends 'HOST' | 'PRIVATE_HOST',
  Port extends 'PORT' | 'PRIVATE_PORT' | 'JOBS_PRIVATE_PORT',
>(server: Server, settings: Pick<Settings, Host | Port>, names: { host: Host; port: Port }): Promise<string> {
  const host: string = settings[names.host];
  const port: number = settings[names.port];
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(nameListenFault(error, { names, host, port })));
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${chosen}`;
}

/** When a server cannot listen: a fault of the setting that named the address; any other error unchanged. */
export function nameListenFault(
  error: NodeJS.ErrnoException,
  { names, host, port }: { names: { host: string; port: string }; host: string; port: number },
): Error {
  const faults: Record<string, string> = {
    EADDRINUSE: `${names.port}: expected a free port, ${port} is taken: stop what uses it, or set another, as in ${names.port}=${anotherPort(port)}`,
    EACCES: `${names.port}: expected a port that this user may listen on, got ${port}`,
    EADDRNOTAVAIL: `${names.host}: expected an address of this machine, got ${host}`,
    ENOTFOUND: `${names.host}: expected an address of this machine, there is no host ${host}`,
    EAI_AGAIN: `${names.host}: expected an address of this machine, the look-up of ${host} got no answer`,
  };
  const said = faults[error.code ?? ''];
  return said ? new BadSettings(said, { cause: error }) : error;
}

/** A port that none of the others has by default: they are next to each other. */
function anotherPort(port: number): number {
  return port < 60_000 ? port + 10 : port - 10;
}
