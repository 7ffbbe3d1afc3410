import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { type Fixture, type Request, say } from './fixture.ts';

/** Longer than a client on this machine takes to answer. */
const WAIT_MS = 2_000;

const strings = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

async function elicit({ send }: Request, message: string, requestedSchema: object): Promise<string> {
  const params = { message, requestedSchema } as ElicitRequestFormParams;
  const { action, content } = await send({ method: 'elicitation/create', params }, { timeout: WAIT_MS });
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

const DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const titled = (word: string) =>
  ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${word}` }));
const OPTIONS = ['option1', 'option2', 'option3'];
const ENUMS = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
};

/**
 * Tools of the initialize-based versions that ask their client while they work. The client answers with a request of its own,
 * which only a session would bring back to the tool that waits.
 */
export const sessionFixtures: Readonly<Record<string, Fixture>> = {
  test_sampling: {
    inputSchema: strings('prompt'),
    async run({ send }, { prompt }) {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } }];
      const asked = { method: 'sampling/createMessage' as const, params: { messages, maxTokens: 100 } };
      const { content } = await send(asked, { timeout: WAIT_MS });
      return say(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    inputSchema: strings('message'),
    async run(request, { message }) {
      return say(`User response: ${await elicit(request, String(message), strings('username', 'email'))}`);
    },
  },
  test_elicitation_sep1034_defaults: {
    run: async (request) => say(`Elicitation completed: ${await elicit(request, 'Please look', DEFAULTS)}`),
  },
  test_elicitation_sep1330_enums: {
    run: async (request) => say(`Elicitation completed: ${await elicit(request, 'Please choose', ENUMS)}`),
  },
};
