import { createHmac } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type Fixture, type Request, say } from './fixture.ts';

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

const form = (message: string, properties: Properties) =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties, required: Object.keys(properties) } });
const sample = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

const NAME = form('What is your name?', { name: { type: 'string' } });

/** What the client's user accepted under a key, or undefined. */
export function accepted({ inputResponses }: Request, key: string): Record<string, unknown> | undefined {
  const answer = inputResponses?.[key] as { action?: string; content?: Record<string, unknown> } | undefined;
  return answer?.action === 'accept' ? answer.content : undefined;
}

const seal = (text: string) => createHmac('sha256', 'conformance').update(text).digest('base64url');
const toState = (text: string) => `${text}.${seal(text)}`;

/** What the state said when we gave it away. @throws ProtocolError where it is not as we gave it. */
function readState(request: Request): string | undefined {
  const state = request.requestState<string>();
  if (state === undefined) return undefined;
  const [text = '', seen] = String(state).split('.');
  if (seal(text) !== seen) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state was tampered with');
  return text;
}

function withState(step: string, message: string, properties: Properties): InputRequiredResult {
  return inputRequired({ inputRequests: { [step]: form(message, properties) }, requestState: toState(step) });
}

const confirm: Fixture = {
  run(request) {
    const state = readState(request);
    if (state !== 'confirm' || !accepted(request, 'confirm'))
      return withState('confirm', 'Please confirm', { ok: { type: 'boolean' } });
    return say('state-ok');
  },
};

/** Tools of protocol 2026-07-28 that need something of the client first. */
export const askingFixtures: Readonly<Record<string, Fixture>> = {
  test_input_required_result_elicitation: {
    run(request) {
      const name = accepted(request, 'user_name')?.name;
      return typeof name === 'string' ? say(`Hello, ${name}!`) : inputRequired({ inputRequests: { user_name: NAME } });
    },
  },
  test_input_required_result_sampling: {
    run({ inputResponses }) {
      const answer = inputResponses?.capital_question;
      if (!answer)
        return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } });
      return say(JSON.stringify(answer));
    },
  },
  test_input_required_result_list_roots: {
    run({ inputResponses }) {
      const answer = inputResponses?.client_roots;
      if (!answer) return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
      return say(JSON.stringify(answer));
    },
  },
  test_input_required_result_request_state: confirm,
  test_input_required_result_tampered_state: confirm,
  test_input_required_result_multiple_inputs: {
    run(request) {
      const { inputResponses = {} } = request;
      const inputRequests = {
        user_name: NAME,
        greeting: sample('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      };
      const isDone = readState(request) === 'all' && Object.keys(inputRequests).every((key) => key in inputResponses);
      return isDone ? say('All is there.') : inputRequired({ inputRequests, requestState: toState('all') });
    },
  },
  test_input_required_result_multi_round: {
    run(request) {
      const state = readState(request);
      if (state === 'step2' && accepted(request, 'step2')) return say('Both steps are done.');
      if (state === 'step1' && accepted(request, 'step1'))
        return withState('step2', 'Step 2: What is your favorite color?', { color: { type: 'string' } });
      return withState('step1', 'Step 1: What is your name?', { name: { type: 'string' } });
    },
  },
  test_input_required_result_capabilities: {
    run({ envelope }) {
      const declared = (envelope as Record<string, object> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
      const wanted = { elicitation: NAME, sampling: sample('Say something') };
      const inputRequests = Object.fromEntries(Object.entries(wanted).filter(([capability]) => capability in declared));
      return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : say('Nothing to ask with.');
    },
  },
  test_streaming_elicitation: {
    run: (request) =>
      accepted(request, 'user_name') ? say('Heard.') : inputRequired({ inputRequests: { user_name: NAME } }),
  },
};
