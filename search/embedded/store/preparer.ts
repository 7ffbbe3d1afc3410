import { Worker } from 'node:worker_threads';
import { extension } from '../../processes/child.ts';
import type { Coming, Prepared } from './prepare.ts';

/** Prepares documents in a thread of its own while this one stores what came before, in the order in which they are given. */
export interface Preparer {
  prepare(coming: Coming): Promise<Prepared>;
  close(): Promise<void>;
}

/** Starts the thread. It knows the facet values of what it prepared, and of nothing before. */
export function startPreparer(): Preparer {
  const worker = startThread(new URL(`./prepare-thread${extension()}`, import.meta.url));
  const asked: { resolve(prepared: Prepared): void; reject(error: Error): void }[] = [];
  let fault: Error | undefined;
  const end = (error: Error) => {
    fault ??= error;
    for (const { reject } of asked.splice(0)) reject(error);
  };
  worker.on('message', (prepared: Prepared) => asked.shift()?.resolve(prepared));
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the thread that prepares documents ended')));
  return {
    prepare: (coming) =>
      new Promise((resolve, reject) => {
        if (fault) return reject(fault);
        asked.push({ resolve, reject });
        worker.postMessage(coming);
      }),
    async close() {
      await worker.terminate();
    },
  };
}

/** Compiled code needs nothing; for TypeScript a thread has to load the loader itself, as it takes none from its arguments. */
function startThread(url: URL): Worker {
  if (extension() === '.js') return new Worker(url);
  const loader = import.meta.resolve('tsx/esm/api');
  const code = `import('${loader}').then(({ register }) => { register(); return import('${url}'); })`;
  return new Worker(code, { eval: true });
}
