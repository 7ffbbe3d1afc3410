import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const API = new URL('../../../api/main.ts', import.meta.url);

export interface ApiChild {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** The API as it runs in production: a process of its own. */
export async function startApi(settings: Record<string, string>): Promise<ApiChild> {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(API)], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}`)));
    createInterface(child.stdout).on('line', (line) => {
      const { msg, public: address } = JSON.parse(line) as { msg?: string; public?: string };
      if (msg === 'answering' && address) resolve(address);
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
