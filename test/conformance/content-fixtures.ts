import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import { type Fixture, PNG, type Request, say, WAV } from './fixture.ts';

const text = (body: string) => ({ type: 'text' as const, text: body });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, body: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: body },
});

/** Of JSON Schema 2020-12, what the suite looks for. */
const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

async function log({ notify }: Request, lines: string[]): Promise<void> {
  for (const data of lines) await notify({ method: 'notifications/message', params: { level: 'info', data } });
}

/** Tools that answer content of every kind, or speak before they answer. */
export const contentFixtures: Readonly<Record<string, Fixture>> = {
  test_simple_text: { run: () => say('This is a simple text response for testing.') },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: { run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: () => ({ content: [resource('test://embedded-resource', 'text/plain', 'An embedded resource.')] }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        text('Multiple content types test:'),
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    run: () => ({ ...say('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_logging: {
    async run(request) {
      await log(request, ['Tool execution started', 'Tool processing data', 'Tool execution completed']);
      return say('Logged.');
    },
  },
  test_logging_tool: {
    async run(request) {
      await request.log('info', 'said only to who asked for it');
      return say('Logged.');
    },
  },
  test_tool_with_progress: {
    async run({ _meta, notify }) {
      const progressToken = _meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100]) {
        await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      return say(String(progressToken));
    },
  },
  test_missing_capability: {
    run: () => {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  json_schema_2020_12_tool: { inputSchema: SCHEMA_2020, run: () => say('Taken.') },
};
