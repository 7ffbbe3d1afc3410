// Sends the call of a reference page. The key stays in the memory of this page.
const form = document.querySelector('form.try');
const key = form.querySelector('.secret');
const body = form.querySelector('textarea');
const button = form.querySelector('button');
const outcome = form.querySelector('[role=status]');
const answer = form.querySelector('.try-answer');
const { method, path, api, app } = form.dataset;

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
  return base + filled + (query.size > 0 ? `?${query}` : '');
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

/** What the call cost, or why it was refused, in the words of the answer. */
function describe(status, content) {
  const message = content?.message ?? content?.detail?.[0]?.msg;
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
    const response = await fetch(readAddress(), readRequest());
    const text = await response.text();
    const content = parse(text);
    outcome.textContent = describe(response.status, content);
    answer.firstElementChild.textContent = content === undefined ? text : JSON.stringify(content, null, 2);
    answer.hidden = false;
  } catch {
    outcome.textContent = 'No answer arrived. Your usage page shows whether the call was charged.';
  }
  button.disabled = false;
}

form.addEventListener('submit', send);
// Browsers can keep a page that was left, for the Back button.
addEventListener('pagehide', () => {
  if (key) key.value = '';
});
