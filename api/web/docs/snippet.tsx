import { searchTenders } from '../../operations/search/tenders.ts';

/** The scripts of a page with snippets. */
export const SNIPPET_SCRIPTS = ['copy.js'];

/** A text with a copy button if scripts run. `label` completes the button's name: "Copy the call". */
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

/** The first call of a newcomer: the example of a tender search. */
export const FIRST_CALL = searchTenders;

/** The URL of the first call. */
export function firstAddress(baseUrl: string): string {
  const [binding] = FIRST_CALL.bindings;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(binding?.example ?? {})) query.set(name, String(value));
  return `${baseUrl}/v1${binding?.path}?${query}`;
}
