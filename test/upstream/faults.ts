import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from './data.ts';
import { html, json, type Reply, text } from './reply.ts';

/** One thing that goes wrong. */
export type Fault =
  | { kind: 'broken_json' }
  | { kind: 'truncated' }
  /** Half of the body, announced as the whole. */
  | { kind: 'half' }
  | { kind: 'html' }
  /** Another body in place of the one due, well-formed as an answer. */
  | { kind: 'body'; of(body: Buffer): Buffer | Promise<Buffer> }
  /** 200 with JSON of another shape. */
  | { kind: 'error_json' }
  | { kind: 'empty' }
  /** Announced as gzip, and none. */
  | { kind: 'gzip_garbage' }
  /** To itself, for ever. */
  | { kind: 'redirect' }
  | { kind: 'status'; status: number; retryAfterSeconds?: number; body?: string }
  | { kind: 'reset' }
  | { kind: 'delay'; delayMs: number }
  | { kind: 'release_without_ocid' }
  | { kind: 'unknown_notice_type' };

/** A fault on every request whose path and query match, or on the first `times` of them after `skip`. */
export interface FaultRule {
  path: RegExp;
  fault: Fault;
  times?: number;
  skip?: number;
}
export type Faults = readonly FaultRule[];

/** A reply, or `reset`: the connection is to be cut; `cut`: the body ends early. */
type Spoiled = { reply: Reply; cut?: boolean } | 'reset';

/** Finds the fault for each request in turn, counting how often a rule was used. */
export function makeFaultFinder(rules: Faults): (pathAndQuery: string) => Fault | null {
  const seen = rules.map(() => 0);
  return (pathAndQuery) => {
    for (const [index, { path, fault, times = Number.POSITIVE_INFINITY, skip = 0 }] of rules.entries()) {
      if (!path.test(pathAndQuery)) continue;
      const count = seen[index] ?? 0;
      seen[index] = count + 1;
      if (count >= skip && count < skip + times) return fault;
    }
    return null;
  };
}

/** Applies a fault to the answer that a handler gave. */
export async function spoil(reply: Reply, fault: Fault): Promise<Spoiled> {
  switch (fault.kind) {
    case 'broken_json':
      return { reply: { ...reply, body: Buffer.concat([Buffer.from('{"uri": oops,'), reply.body.subarray(1)]) } };
    case 'truncated':
      return { reply: { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length / 2)) }, cut: true };
    case 'half':
      return { reply: { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length / 2)) } };
    case 'html':
      return { reply: html('<!DOCTYPE html><html><body><h1>Forbidden - Contracts Finder</h1></body></html>') };
    case 'error_json':
      return { reply: json({ error: 'Service Unavailable', code: 'E1' }) };
    case 'empty':
      return { reply: { ...reply, body: Buffer.alloc(0) } };
    case 'gzip_garbage':
      return { reply: { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } } };
    case 'redirect':
      return { reply: text('', 302, { location: '?again' }) };
    case 'body':
      return { reply: { ...reply, body: await fault.of(reply.body) } };
    case 'status':
      return { reply: text(fault.body ?? `${fault.status}`, fault.status, retryAfter(fault.retryAfterSeconds)) };
    case 'reset':
      return 'reset';
    case 'delay':
      await pause(fault.delayMs);
      return { reply };
    case 'release_without_ocid':
      return { reply: withFirst(reply, withoutOcid(MODEL)) };
    case 'unknown_notice_type':
      return { reply: withFirst(reply, ofUnknownType(MODEL)) };
  }
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** Puts one more release before the others, so that whatever else the page held is still to be found. */
function withFirst(reply: Reply, release: Json): Reply {
  const body = reply.body.toString('latin1');
  const added = Buffer.from(JSON.stringify(release)).toString('latin1');
  return {
    ...reply,
    body: Buffer.from(
      body.replace('"releases":[', () => `"releases":[${added}${body.includes('"releases":[]') ? '' : ','}`),
      'latin1',
    ),
  };
}

const MODEL: Json = {
  ocid: 'ocds-h6vhtk-fa0002',
  date: '2026-11-19T12:00:00Z',
  tag: ['tender'],
  initiationType: 'tender',
  language: 'en',
  parties: [{ id: 'GB-FTS-999901', name: 'Nowhere Parish Council', roles: ['buyer'] }],
  buyer: { id: 'GB-FTS-999901', name: 'Nowhere Parish Council' },
  tender: { id: 'fault', title: 'A notice with a fault', legalBasis: { scheme: 'UKPGA', id: '2023/54' } },
};

function withoutOcid(model: Json): Json {
  const { ocid: _dropped, ...rest } = model;
  return { ...rest, id: '999901-2026' };
}

function ofUnknownType(model: Json): Json {
  const id = '999902-2026';
  const documents = [{ id, documentType: 'plannedProcurementNotice', noticeType: 'UK99' }];
  return { ...model, id, ocid: 'ocds-h6vhtk-fa0001', tag: ['planning'], planning: { documents } };
}
