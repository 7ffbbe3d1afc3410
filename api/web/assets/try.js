// The contract in a viewer that can send calls. It is loaded when asked for, and the key stays in this page's memory.
const root = document.getElementById('try');
const start = root.querySelector('.try-start');
const panel = root.querySelector('.try-panel');
const key = root.querySelector('input');
const told = root.querySelector('[role=status]');

/** Whoever came by another name of this server (a preview, a loopback address) calls what answered the page. */
const base = location.origin === root.dataset.app ? root.dataset.api : location.origin;

const priceOf = (operation) =>
  operation['x-credits-note'] ?? (operation['x-credits'] ? `${operation['x-credits']} credits` : 'free');

/** The contract as the viewer shows it: this server's address, and the price beside every summary. */
async function readContract() {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error(`the contract: ${answer.status}`);
  const contract = await answer.json();
  for (const operation of Object.values(contract.paths).flatMap(Object.values))
    operation.summary = `${operation.summary} (${priceOf(operation)})`;
  return { ...contract, servers: [{ url: base }] };
}

function load(element, attributes) {
  return new Promise((resolve, reject) => {
    const made = Object.assign(document.createElement(element), attributes);
    made.onload = resolve;
    made.onerror = () => reject(new Error('a file of the viewer'));
    document.head.append(made);
  });
}

/** Sends the key with a call; the viewer itself never holds it. */
function sign(request) {
  const text = key.value.trim();
  if (text) request.headers.Authorization = `Bearer ${text}`;
  told.textContent = 'Asked…';
  return request;
}

/** Says what the call cost, or why it was refused, in the words of the answer. */
function tell(response) {
  told.textContent = wordsOf(response);
  return response;
}

function wordsOf({ status, text }) {
  const body = readJson(text);
  if (status === 401) return `401: ${body.message ?? 'the key was not accepted'} Nothing was charged.`;
  if (body.credits_charged !== undefined)
    return `${status}: ${body.credits_charged} credits charged, ${body.credits_remaining} left.`;
  return `${status}: ${body.message ?? body.detail?.[0]?.msg ?? 'answered'}${status >= 400 ? ' Nothing was charged.' : ''}`;
}

function readJson(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** What the viewer shows of a call to paste: never the key. */
const withoutKey = (request) =>
  request?.hasIn(['headers', 'Authorization'])
    ? request.setIn(['headers', 'Authorization'], 'Bearer YOUR_KEY')
    : request;

/** A field with a name for those who do not see where it stands. */
const named = ({ createElement }, name, Field, props) =>
  createElement('label', null, createElement('span', { className: 'unseen' }, name), createElement(Field, props));

/** The viewer less what the page says itself, and mended where a keyboard or a screen reader would stumble. */
const plugin = ({ React }) => ({
  components: { Calls: ({ getComponent }) => React.createElement(getComponent('operations', true)) },
  wrapComponents: {
    authorizeOperationBtn: () => () => null,
    // A link inside a button is neither.
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
    JsonSchemaForm: (Original) => (props) => named(React, props.description || 'Value', Original, props),
    ExamplesSelect: (Original) => (props) => named(React, 'Example', Original, props),
    TextArea: (Original) => (props) => named(React, 'Body', Original, props),
  },
  statePlugins: {
    spec: {
      wrapSelectors: {
        mutatedRequestFor:
          (original) =>
          (_state, ...asked) =>
            withoutKey(original(...asked)),
      },
    },
  },
});

async function open() {
  const { script, styles } = root.dataset;
  start.hidden = true;
  told.textContent = 'Loading…';
  try {
    const [spec] = await Promise.all([
      readContract(),
      load('script', { src: script }),
      load('link', { rel: 'stylesheet', href: styles }),
    ]);
    show(spec);
  } catch {
    start.hidden = false;
    told.textContent = 'The viewer could not be loaded. Every call is also on a page of its own, below.';
  }
}

function show(spec) {
  panel.hidden = false;
  told.textContent = '';
  window.SwaggerUIBundle({
    spec,
    domNode: root.querySelector('.try-viewer'),
    plugins: [plugin],
    layout: 'Calls',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    supportedSubmitMethods: ['get', 'post'],
    syntaxHighlight: { activated: false },
    validatorUrl: null,
    requestInterceptor: sign,
    responseInterceptor: tell,
  });
  key.focus({ preventScroll: true });
}

// A page that is left may be kept by the browser for going back to it.
addEventListener('pagehide', () => {
  key.value = '';
});
start.hidden = false;
start.querySelector('button').addEventListener('click', open);
// Who follows a link to one call has asked for the viewer.
if (location.hash.startsWith('#/')) open();
