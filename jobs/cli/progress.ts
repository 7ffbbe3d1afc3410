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
  const startedMs = performance.now();
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage} %  {said}  {left}`, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(STEPS, 0, { said: 'starting', left: '' });
  return {
    show: ({ fraction, said }) =>
      bar.update(Math.floor(fraction * STEPS), { said, left: describeLeft(fraction, performance.now() - startedMs) }),
    end: () => bar.stop(),
  };
}

/** The remaining time if all goes on as so far; nothing while there is too little to judge by. */
export function describeLeft(fraction: number, elapsedMs: number): string {
  if (fraction < 0.01 || fraction >= 1) return '';
  const seconds = Math.ceil((elapsedMs / 1_000) * (1 / fraction - 1));
  if (seconds < 120) return `${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min left` : `${Math.round(minutes / 60)} h left`;
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
