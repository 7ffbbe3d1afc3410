import { MultiBar, type SingleBar } from 'cli-progress';
import type { Progress } from '../../ingest/context.ts';

const TITLE_CHARS = 25;

export interface Bars {
  show(title: string, progress: Pick<Progress, 'fraction' | 'releases'>): void;
  finish(title: string, line: string): void;
  close(): void;
}

/** One progress bar for each source in a terminal; a plain line for each elsewhere. */
export function makeBars(): Bars {
  return process.stdout.isTTY ? makeTerminalBars() : makePlainLines();
}

function makePlainLines(): Bars {
  return {
    show: () => undefined,
    finish: (title, line) => console.log(`  ${title.padEnd(TITLE_CHARS)} ${line}`),
    close: () => undefined,
  };
}

function makeTerminalBars(): Bars {
  const multi = new MultiBar({
    format: '  {title} {bar} {line}',
    hideCursor: true,
    stopOnComplete: false,
    barsize: 30,
  });
  const bars = new Map<string, SingleBar>();
  const draw = (title: string, share: number, line: string) => {
    const payload = { title: title.padEnd(TITLE_CHARS), line };
    const bar = bars.get(title) ?? multi.create(100, 0, payload);
    bars.set(title, bar);
    bar.update(Math.round(share * 100), payload);
  };
  return {
    show: (title, { fraction, releases }) => draw(title, fraction, `${releases} read`),
    finish: (title, line) => draw(title, 1, line),
    close: () => multi.stop(),
  };
}
