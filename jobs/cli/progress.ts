import { Presets, SingleBar } from 'cli-progress';
import type { Cli } from './command.ts';

/** How far a long command is. */
export interface Step {
  /** 0 to 1. */
  fraction: number;
  /** What has been done so far, in words. */
  said: string;
}

export interface ProgressLine {
  show(step: Step): void;
  end(): void;
}

const STEPS = 1_000;
const LINE_EVERY_MS = 5_000;

/** A bar with the remaining time where a person watches, a plain line every few seconds where nobody does. */
export function makeProgress(cli: Cli, title: string): ProgressLine {
  return cli.isTty ? makeBar(title) : makeLines(cli, title);
}

function makeBar(title: string): ProgressLine {
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage} %  {said}  {eta_formatted} left`, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(STEPS, 0, { said: 'starting' });
  return {
    show: ({ fraction, said }) => bar.update(Math.floor(fraction * STEPS), { said }),
    end: () => bar.stop(),
  };
}

function makeLines(cli: Cli, title: string): ProgressLine {
  let next = 0;
  return {
    show({ fraction, said }) {
      const now = performance.now();
      if (now < next) return;
      next = now + LINE_EVERY_MS;
      cli.out(`${title}: ${said} (${Math.floor(fraction * 100)} %)`);
    },
    end: () => undefined,
  };
}
