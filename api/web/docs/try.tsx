import type { Settings } from '../../../schema/config/settings.ts';
import type { AssetPaths } from '../assets.ts';
import { Heading, type Page } from '../components/layout.tsx';
import { Endpoints } from './endpoints.tsx';
import type { Reference } from './reference.ts';

/** What the viewer comes to on the wire; a test holds it to that. */
export const VIEWER_KB = 395;

/** The contract in a viewer that sends calls. Light until it is asked for; without JavaScript a list of the same. */
export function tryPage(entries: readonly Reference[], settings: Settings, assets: AssetPaths): Page {
  return {
    title: 'Try the API',
    description: 'The API reference in a viewer that sends calls with your key',
    section: 'docs',
    scripts: ['try.js'],
    body: (
      <>
        <p class="kind">
          <a href="/docs">API reference</a>
        </p>
        <Heading title="Try the API">
          <p class="lead">
            The whole contract, with calls sent from this page. They are real calls: each costs the price shown with it
            and appears in <a href="/dashboard/ledger">your ledger</a>.
          </p>
        </Heading>
        <section
          id="try"
          aria-label="Viewer"
          data-script={assets['viewer.js']}
          data-styles={assets['viewer.css']}
          data-api={settings.BASE_URL}
          data-app={new URL(settings.APP_URL).origin}
        >
          <noscript>
            <p class="note">The viewer needs JavaScript. The reference below does not, and has a line to paste.</p>
          </noscript>
          <p class="try-start" hidden>
            <button type="button">Load the viewer</button> <span class="muted small">{VIEWER_KB} kB, once</span>
          </p>
          <div class="try-panel" hidden>
            <label>
              Your API key
              <input type="text" class="secret" autocomplete="off" autocapitalize="off" spellcheck={false} />
            </label>
            <p class="muted small">
              It is sent with the calls and stored nowhere: it is gone when you leave this page. Keys are made under{' '}
              <a href="/dashboard">Account</a>; we hold only their hashes.
            </p>
            <h2>Calls</h2>
          </div>
          <p class="try-told" role="status" />
          <div class="try-viewer" />
        </section>
        <h2>Without the viewer</h2>
        <Endpoints entries={entries} />
      </>
    ),
  };
}
