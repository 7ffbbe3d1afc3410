// Sends the call of a reference page. The key stays in the memory of this page.
const form = document.querySelector('form.try');
const key = form.querySelector('.secret');
const body = form.querySelector('textarea');
const button = form.querySelector('button');
const outcome = form.querySelector('[role=status]');
const answer = form.querySelector('.try-answer');
const { method, path, api, app, costs } = form.dataset;

/** A page opened at another address of this server (a preview, a loopback address) calls that address. */
const base = location.origin === app ? api : location.origin;

function readAddress() {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    const text = value.trim();
    if (dataset.in === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(text));
    else if (text) query.append(name, text);
  }
  const asked = String(query);
  return base + filled + (asked && `?${asked}`);
}

function readRequest() {
  const token = key?.value.trim();
  return {
    method,
    credentials: 'omit',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: body.value }),
  };
}

/** The last call that has no final answer: it keeps its Idempotency-Key, so that a second attempt is not charged again. */
let unanswered = { call: '', id: '' };

function chooseId(address, request) {
  const call = JSON.stringify([address, request]);
  if (unanswered.call !== call) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    unanswered = { call, id: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  }
  return unanswered.id;
}

const NO_ANSWER = costs ? 'No answer arrived. Send again: the same call is not charged twice.' : 'No answer arrived.';

/** Whether the call still runs, or it is unknown whether it was charged: the next attempt is the same call. */
const isUnanswered = (status) => status === 409 || status >= 500;

/** What the call cost, or why it was refused, in the words of the answer. */
function describe(status, content) {
  const message = content?.message ?? content?.detail?.[0]?.msg;
  // Also the answer of a gateway, which knows nothing of charges.
  if (isUnanswered(status)) return `${status}: ${message ?? NO_ANSWER}`;
  if (status >= 400) return `${status}: ${message ?? 'refused'} Nothing was charged.`;
  if (content?.credits_charged === undefined) return `${status}: answered`;
  return `${status}: ${content.credits_charged} credits charged, ${content.credits_remaining} left.`;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function send(event) {
  event.preventDefault();
  button.disabled = true;
  answer.hidden = true;
  outcome.textContent = 'Sending…';
  try {
    const address = readAddress();
    const request = readRequest();
    if (costs) request.headers['Idempotency-Key'] = chooseId(address, request);
    const response = await fetch(address, request);
    const text = await response.text();
    if (!isUnanswered(response.status)) unanswered = { call: '', id: '' };
    const content = parse(text);
    outcome.textContent = describe(response.status, content);
    answer.firstElementChild.textContent = content === undefined ? text : JSON.stringify(content, null, 2);
    answer.hidden = false;
  } catch {
    outcome.textContent = NO_ANSWER;
  }
  button.disabled = false;
}

form.addEventListener('submit', send);
// Browsers can keep a page that was left, for the Back button.
addEventListener('pagehide', () => {
  if (key) key.value = '';
});
