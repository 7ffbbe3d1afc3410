import { searchTenders } from '../../operations/search/tenders.ts';

/** What a page with snippets loads. */
export const SNIPPET_SCRIPTS = ['copy.js'];

/** Text to paste, with a button that copies it where scripts run. `label` ends the button's name: "Copy the call". */
export function Snippet({ id = 'call', text, label }: { id?: string; text: string; label: string }) {
  return (
    <div class="snippet">
      <pre id={id}>
        <code>{text}</code>
      </pre>
      <button type="button" class="quiet" data-copy={id} hidden>
        Copy<span class="unseen"> {label}</span>
      </button>
    </div>
  );
}

/** The call that a newcomer makes first: the table's own example of a tender search. */
export const FIRST_CALL = searchTenders;

/** Its whole address over REST. */
export function firstAddress(baseUrl: string): string {
  const [binding] = FIRST_CALL.bindings;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(binding?.example ?? {})) query.set(name, String(value));
  return `${baseUrl}/v1${binding?.path}?${query}`;
}
