import { type Logger, pino } from 'pino';
import type { Services } from '../../../api/contract/operation.ts';
import { makeWebApp } from '../../../api/web/app.ts';

/** Reads the log of the pages as an operator does who has no mail server, and passes its links on. */
export interface Operator {
  log: Logger;
  /** The pages, with their log before this operator's eyes. */
  web(services: Services): ReturnType<typeof makeWebApp>;
  /** Every line so far. */
  lines: Line[];
  /** The path of the next link that is logged while `act` is done, or after it. */
  readLink(act: () => Promise<unknown>): Promise<string>;
}

interface Line {
  msg: string;
  link?: string;
}

export function makeOperator(): Operator {
  const lines: Line[] = [];
  const waiting: ((link: string) => void)[] = [];
  const take = (text: string) => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (line.link) waiting.shift()?.(line.link);
  };
  const log = pino({ level: 'warn' }, { write: take });
  return {
    log,
    lines,
    web: (services) => makeWebApp(services, log),
    async readLink(act) {
      const coming = new Promise<string>((resolve) => waiting.push(resolve));
      await act();
      const { pathname, search } = new URL(await coming);
      return pathname + search;
    },
  };
}
