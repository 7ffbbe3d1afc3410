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
