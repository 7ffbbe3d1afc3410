import { setTimeout as pause } from 'node:timers/promises';
import autocannon, { type Result } from 'autocannon';

export const LOOKUPS_A_SECOND = 500;
const ALONE_MS = 8_000;

/** A metered look-up: an API's address, a key, and the notice that is asked. */
export interface Lookup {
  url: string;
  key: string;
  noticeId: string;
}

/** Look-ups at a steady pace until something has ended. */
export async function loadUntil({ url, key, noticeId }: Lookup, until: Promise<unknown>): Promise<Result> {
  const running = autocannon({
    connections: 10,
    overallRate: LOOKUPS_A_SECOND,
    duration: 3_600,
    url: `${url}/v1/notices/${noticeId}`,
    headers: { Authorization: `Bearer ${key}` },
  });
  await until;
  (running as unknown as { stop(): void }).stop();
  return running;
}

/** The same beside nothing else, for some seconds. */
export function loadAlone(lookup: Lookup): Promise<Result> {
  return loadUntil(lookup, pause(ALONE_MS));
}

/** Look-ups a second and their times, as a line of text. */
export function showLoadOf({ requests, latency, non2xx, errors }: Result): string {
  const failed = non2xx + errors;
  const { p50, p99, max } = latency;
  return `${requests.average.toFixed(0).padStart(5)}/s  p50 ${p50} ms  p99 ${p99} ms  most ${max} ms${failed ? `  ${failed} FAILED` : ''}`;
}
