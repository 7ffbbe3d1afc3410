import { readDemoOptions } from './demo/options.ts';

// Until there is something to stop in order, Ctrl-C is an end at once: what was filled so far is filled on by the next run.
const giveUp = () => process.exit(130);
process.on('SIGINT', giveUp).on('SIGTERM', giveUp);
try {
  const options = readDemoOptions(process.argv.slice(2));
  // The services take seconds to load: an option that cannot be used is refused before.
  const { serveDemo } = await import('./demo/serve.ts');
  stopOnSignal(await serveDemo(options));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // What was opened before the fault would go on without the rest.
  process.exit(1);
}

function stopOnSignal(stop: () => Promise<void>): void {
  // A terminal and npm both send one: the second must not break off what the first began.
  let stopping = false;
  const stopOnce = () => {
    if (stopping) return;
    stopping = true;
    void stop();
  };
  // First the new: a signal that comes while nobody listens for it is lost.
  process.on('SIGINT', stopOnce).on('SIGTERM', stopOnce);
  process.off('SIGINT', giveUp).off('SIGTERM', giveUp);
}
