import type { Settings } from '../../../schema/config/settings.ts';
import { priceOf } from './endpoints.tsx';
import type { Reference } from './reference.ts';

/** The script that sends the call of a page. */
export const TRY_SCRIPT = 'try.js';

type Input = Reference['inputs'][number];

/** A form that sends a call and shows its answer. A script sends it, so that the key never becomes part of an address. */
export function TryForm({ entry, settings }: { entry: Reference; settings: Settings }) {
  const inputs = entry.inputs.filter((input) => input.in === 'path' || input.in === 'query');
  const first = inputs.filter(isShownFirst);
  const more = inputs.filter((input) => !isShownFirst(input));
  return (
    <form
      class="try"
      autocomplete="off"
      data-method={entry.method}
      data-path={entry.path}
      data-api={settings.BASE_URL}
      data-app={new URL(settings.APP_URL).origin}
      data-costs={entry.credits > 0 ? 'yes' : undefined}
    >
      <h3>Send this call</h3>
      {entry.needsKey && <KeyField />}
      {first.map((input) => (
        <InputField key={input.name} input={input} />
      ))}
      {entry.body !== null && <BodyField text={entry.body} />}
      {more.length > 0 && (
        <details>
          <summary>More inputs</summary>
          {more.map((input) => (
            <InputField key={input.name} input={input} />
          ))}
        </details>
      )}
      <button type="submit">Send</button> <span class="muted small">A real call. Price: {priceOf(entry)}</span>
      <p class="try-outcome" role="status" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs keyboard focus */}
      <section class="try-answer" aria-label="Answer" tabIndex={0} hidden>
        <pre />
      </section>
    </form>
  );
}

const isShownFirst = (input: Input) => input.in === 'path' || input.example !== '';

function KeyField() {
  return (
    <div class="field">
      <label for="try-key">Your API key</label>
      <input id="try-key" type="text" class="secret" autocapitalize="off" spellcheck={false} />
      <span class="hint">
        It is sent with the call and not stored: it is gone when you leave this page. Create keys under{' '}
        <a href="/dashboard">Account</a>.
      </span>
    </div>
  );
}

function InputField({ input: { name, in: place, example } }: { input: Input }) {
  const id = `try-${name}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
      </label>
      <input id={id} name={name} value={example} data-in={place} required={place === 'path'} spellcheck={false} />
    </div>
  );
}

function BodyField({ text }: { text: string }) {
  return (
    <div class="field">
      <label for="try-body">Body (JSON)</label>
      <textarea id="try-body" rows={Math.min(16, text.split('\n').length + 1)} spellcheck={false}>
        {text}
      </textarea>
    </div>
  );
}
