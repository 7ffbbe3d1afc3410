import { type AskClient, type Fixture, say } from './fixture.ts';

const strings = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

async function elicit(ask: AskClient, message: string, requestedSchema: object): Promise<string> {
  const { action, content } = await ask('elicitation/create', { message, requestedSchema });
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

/** Tools of the initialize-based versions that ask their client something while they work. */
export const waitingFixtures: Readonly<Record<string, Fixture>> = {
  test_sampling: {
    inputSchema: strings('prompt'),
    async run(_request, { prompt }, ask) {
      const messages = [{ role: 'user', content: { type: 'text', text: String(prompt) } }];
      const { content } = await ask('sampling/createMessage', { messages, maxTokens: 100 });
      return say(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    inputSchema: strings('message'),
    async run(_request, { message }, ask) {
      return say(`User response: ${await elicit(ask, String(message), strings('username', 'email'))}`);
    },
  },
  test_elicitation_sep1034_defaults: {
    run: async (_request, _given, ask) => say(`Elicitation completed: ${await elicit(ask, 'Please look', DEFAULTS)}`),
  },
  test_elicitation_sep1330_enums: {
    run: async (_request, _given, ask) => say(`Elicitation completed: ${await elicit(ask, 'Please choose', ENUMS)}`),
  },
};
