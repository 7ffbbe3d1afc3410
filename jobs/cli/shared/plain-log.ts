import type { DestinationStream } from 'pino';
import { makePrintable } from './printable.ts';

/** Structured lines as sentences for whoever runs a command; what the command tells of a run by itself is left out. */
export function plainLog(write: (line: string) => void): DestinationStream {
  return {
    write(line) {
      const said = describeLine(JSON.parse(line) as Record<string, unknown>);
      if (said) write(`${makePrintable(said)}\n`);
    },
  };
}

function describeLine({ msg, level: _, time: _1, pid: _2, hostname: _3, name: _4, ...facts }: Record<string, unknown>) {
  if ('stored' in facts || 'volume' in facts) return null;
  const known = Object.entries(facts).map(([name, value]) => describeFact(name, value));
  return [String(msg), known.join(', ')].filter(Boolean).join(': ');
}

function describeFact(name: string, value: unknown): string {
  if (name === 'waitMs') return `${Math.round(Number(value) / 1_000)} s`;
  if (name === 'err') return String((value as { message?: unknown }).message);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
