import { type Binding, takesBody } from '../contract/operation.ts';
import { pathInputs } from '../http/rest/input.ts';
import recorded from './examples.json' with { type: 'json' };

/** An example of a body, as OpenAPI has it. */
export interface Example {
  summary: string;
  value: unknown;
}

/** The request in an address's example: its path with the query, and its body where it has one. Brief where possible. */
export function exampleRequest(binding: Binding): { path: string; body?: Record<string, unknown> } {
  const { example, inputs } = binding;
  const inPath = pathInputs(binding);
  const path = `/v1${binding.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(example[name])))}`;
  const rest = Object.entries(example).filter(([name]) => !inPath.includes(name));
  if (takesBody(binding)) return { path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams(rest.map(([name, value]) => [name, String(value)]));
  if (inputs.includes('detail')) query.set('detail', 'brief');
  return { path: query.size > 0 ? `${path}?${query}` : path };
}

/** The invented sample's answer to an address's example request; undefined for an address without one. */
export function answerExamples(binding: Binding, baseUrl: string): Record<string, Example> {
  const value = (recorded.answers as Record<string, unknown>)[binding.operationId];
  if (value === undefined) return {};
  const { path, body } = exampleRequest(binding);
  const request = `${binding.method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}`;
  return { sample: { summary: `What ${request} answers on the invented sample`, value: withAddress(value, baseUrl) } };
}

/** Refusals that say what to send instead, by the name of their response. */
export const REFUSAL_EXAMPLES: Readonly<Record<string, Example>> = {
  NotFound: { summary: 'With the near names: GET /v1/buyers/search?name=Crown', value: recorded.refusals.not_found },
  Invalid: {
    summary: 'Three faults at once: GET /v1/tenders/search?qeury=cleaning&limit=500',
    value: recorded.refusals.invalid,
  },
};

/** Replaces the sample's addresses with this service's. */
function withAddress(value: unknown, baseUrl: string): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('BASE_URL', baseUrl));
}
