import { Presets, SingleBar } from 'cli-progress';
import type { Cli } from './command.ts';

/** How far a long command is. */
export interface Step {
  /** 0 to 1. */
  fraction: number;
  /** What has been done so far, in words. */
  said: string;
  /** The time left, if the caller can estimate it better than from the share done and the time so far. */
  leftMs?: number | undefined;
}

interface ProgressLine {
  show(step: Step): void;
  end(): void;
}

const STEPS = 1_000;
const LINE_EVERY_MS = 5_000;

/** A bar with the time left for a person, otherwise a plain line every few seconds. */
export function makeProgress(cli: Cli, title: string): ProgressLine {
  return cli.isTty ? makeBar(title) : makeLines(cli, title);
}

function makeBar(title: string): ProgressLine {
  const startedMs = performance.now();
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage}%  {said}  {left}`, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(STEPS, 0, { said: 'starting', left: '' });
  return {
    show: (step) => bar.update(Math.floor(step.fraction * STEPS), { said: step.said, left: sayLeft(step, startedMs) }),
    end: () => bar.stop(),
  };
}

function sayLeft({ fraction, leftMs }: Step, startedMs: number): string {
  return leftMs === undefined ? describeLeft(fraction, performance.now() - startedMs) : describeMs(leftMs);
}

/** The time left at the present pace, in words; empty while there is too little to go by. */
export function describeLeft(fraction: number, elapsedMs: number): string {
  if (fraction < 0.01 || fraction >= 1) return '';
  return describeMs(elapsedMs * (1 / fraction - 1));
}

/** A time left, rounded sensibly; empty where there is none. */
function describeMs(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  if (seconds <= 0) return '';
  if (seconds < 120) return `${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min left` : `${Math.round(minutes / 60)} h left`;
}

function makeLines(cli: Cli, title: string): ProgressLine {
  const startedMs = performance.now();
  let next = 0;
  return {
    show(step) {
      const now = performance.now();
      if (now < next) return;
      next = now + LINE_EVERY_MS;
      const left = sayLeft(step, startedMs);
      cli.out(`${title}: ${step.said} (${Math.floor(step.fraction * 100)}%${left && `, ${left}`})`);
    },
    end: () => undefined,
  };
}
