import {
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server';
import { accepted } from './asking-fixtures.ts';
import { PNG, type Request } from './fixture.ts';

export const RESOURCES: readonly Resource[] = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched', mimeType: 'text/plain' },
];
export const TEMPLATES = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
] as const;

/** A fixture resource, or undefined. */
export function readFixture(uri: string): ReadResourceResult | undefined {
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id)
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data of ${id}` }) }] };
  if (!RESOURCES.some((one) => one.uri === uri)) return undefined;
  return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
}

const fixturePrompt = (name: string, ...names: string[]): Prompt => ({
  name,
  description: 'A fixture of the conformance suite.',
  arguments: names.map((argument) => ({ name: argument, description: argument, required: true })),
});

export const PROMPTS: readonly Prompt[] = [
  fixturePrompt('test_simple_prompt'),
  fixturePrompt('test_prompt_with_arguments', 'arg1', 'arg2'),
  fixturePrompt('test_prompt_with_embedded_resource', 'resourceUri'),
  fixturePrompt('test_prompt_with_image'),
  fixturePrompt('test_input_required_result_prompt'),
];

type Content = GetPromptResult['messages'][number]['content'];
const user = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});
const text = (body: string): Content => ({ type: 'text', text: body });

/** A fixture prompt, or undefined. */
export function getFixturePrompt(
  name: string,
  given: Record<string, string>,
  request: Request,
): GetPromptResult | InputRequiredResult | undefined {
  switch (name) {
    case 'test_simple_prompt':
      return user(text('This is a simple prompt for testing.'));
    case 'test_prompt_with_arguments':
      return user(text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`));
    case 'test_prompt_with_embedded_resource': {
      const uri = given.resourceUri ?? 'test://example-resource';
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return user({ type: 'resource', resource }, text('Please process the embedded resource above.'));
    }
    case 'test_prompt_with_image':
      return user({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.'));
    case 'test_input_required_result_prompt': {
      const context = accepted(request, 'user_context')?.context;
      return typeof context === 'string' ? user(text(`With ${context}`)) : askForContext();
    }
    default:
      return undefined;
  }
}

function askForContext(): InputRequiredResult {
  const requestedSchema = {
    type: 'object' as const,
    properties: { context: { type: 'string' as const } },
    required: ['context'],
  };
  const asked = inputRequired.elicit({ message: 'What context should the prompt use?', requestedSchema });
  return inputRequired({ inputRequests: { user_context: asked } });
}
