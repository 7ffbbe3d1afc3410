import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { LIMITS_MS } from './time-limits.ts';

const binary = process.env.LIBSQL_BIN;

/** Whether there is a libSQL server to start; prints what is skipped where there is none. */
export function hasLibsql(what: string): boolean {
  if (!binary) console.warn(`skipped: ${what} needs LIBSQL_BIN (the program of a libSQL server, sqld)`);
  return binary !== undefined;
}

/** A libSQL server in a process of its own, which can be killed and started again at the same address. */
export interface LibsqlProcess {
  url: string;
  /** The same for WebSockets. */
  socketUrl: string;
  adminUrl: string;
  /** Where its data lies. */
  folder: string;
  /** The number of its present process. */
  pid(): number;
  /** Ends it like a power cut. */
  kill(): Promise<void>;
  /** Ends it as an operator does: its log stays complete, and is the same at the next start. */
  stop(): Promise<void>;
  /** Starts it on its folder, at the same addresses. Waits until it answers. */
  start(): Promise<void>;
  /** Suspends it, with its connections open, until `goOn`. */
  hang(): void;
  goOn(): void;
}

interface LibsqlOptions {
  /** Where its data lies. */
  folder: string;
  namespaces?: boolean;
}

/** Starts a server on two free ports of loopback. */
export async function startLibsql({ folder, namespaces = false }: LibsqlOptions): Promise<LibsqlProcess> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const [address, adminAddress] = [`127.0.0.1:${port}`, `127.0.0.1:${adminPort}`];
  const places = ['--db-path', folder, '--http-listen-addr', address, '--admin-listen-addr', adminAddress];
  const url = `http://${address}`;
  let child: ChildProcess | undefined;
  const server: LibsqlProcess = {
    url,
    socketUrl: `ws://${address}`,
    folder,
    pid: () => child?.pid ?? -1,
    adminUrl: `http://${adminAddress}`,
    async start() {
      const started = spawn(binary ?? '', ['--no-welcome', ...places, ...(namespaces ? ['--enable-namespaces'] : [])], {
        stdio: 'ignore',
      });
      child = started;
      await untilUp(url, started);
    },
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    hang: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
  };
  await server.start();
  return server;
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function untilUp(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + LIMITS_MS.wait;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the libSQL server at ${url} ended with ${child.exitCode}`);
    const isUp = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await pause(20);
  }
  throw new Error(`the libSQL server at ${url} did not answer in time`);
}

/** Sets how a namespace waits for its disk, and keeps its other settings. */
export async function setDurability({ adminUrl }: LibsqlProcess, namespace: string, mode: 'strong' | 'relaxed') {
  const address = `${adminUrl}/v1/namespaces/${namespace}/config`;
  const { max_db_size: _, ...config } = (await (await fetch(address)).json()) as Record<string, unknown>;
  await post(address, { ...config, durability_mode: mode });
}

/** Creates a namespace with these settings. @throws Error where the server refuses. */
export async function createNamespace({ adminUrl }: LibsqlProcess, name: string, settings: object = {}): Promise<void> {
  await post(`${adminUrl}/v1/namespaces/${name}/create`, settings);
}

async function post(address: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
}
