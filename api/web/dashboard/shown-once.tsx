import { SNIPPET_SCRIPTS } from '../docs/snippet.tsx';

/** The scripts of a page that shows a key or a secret: one copies it, one clears the page when it is left. */
export const SHOWN_ONCE_SCRIPTS = [...SNIPPET_SCRIPTS, 'shown-key.js'];

/** A key or a secret in full, with a button that copies it. `label` completes the button's name: "Copy the key". */
export function ShownOnce({ text, label }: { text: string; label: string }) {
  return (
    <div class="shown-key">
      <code class="key" id="new-key">
        {text}
      </code>
      <button type="button" data-copy="new-key" hidden>
        Copy<span class="unseen"> {label}</span>
      </button>
    </div>
  );
}

/** The link away from such a page, which also works in a browser that kept the page. */
export function Copied({ href }: { href: string }) {
  return (
    <p>
      <a class="button" id="copied" href={href}>
        I have copied it
      </a>
    </p>
  );
}
