import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { LICENCE_URL } from '../../../schema/reference/licence.ts';
import type { AssetPaths } from '../assets.ts';
import { toWritable } from './format.ts';
import type { PageContext, SourceTitles } from './source-title.ts';

export const SITE_NAME = 'UK Procurement Data';

type Section = 'notices' | 'tenders' | 'contracts' | 'companies' | 'buyers' | 'frameworks' | 'docs' | 'dashboard';

/** A page before it is rendered in the layout. */
export interface Page {
  title: string;
  description?: string;
  section?: Section;
  body: VNode;
  /** Contains personal data: never cached. */
  personal?: boolean;
  /** Names of scripts in the assets folder, loaded with `defer`. */
  scripts?: readonly string[];
  /** The page's feed or canonical address. */
  links?: readonly PageLink[];
  /** The robots directive, e.g. `noindex`. */
  robots?: string;
}

interface PageLink {
  rel: 'alternate' | 'canonical';
  /** A path or an absolute URL. */
  href: string;
  type?: string;
  title?: string;
}

export interface Surroundings {
  assets: AssetPaths;
  /** The notice of a sample catalogue, or null for real data. */
  sample: string | null;
  /** For the services that publish notices. */
  titles: SourceTitles;
  /** What each publisher adds to the sentence of the licence. */
  publishers: readonly string[];
}

const SECTIONS: readonly [Section, string, string][] = [
  ['tenders', '/tenders', 'Live tenders'],
  ['notices', '/notices', 'Notices'],
  ['contracts', '/contracts', 'Contracts'],
  ['companies', '/companies', 'Companies'],
  ['buyers', '/buyers', 'Buyers'],
  ['frameworks', '/frameworks', 'Frameworks'],
  ['docs', '/docs', 'API'],
  ['dashboard', '/dashboard', 'Account'],
];

/** Joins the parts of a title that exist, the most specific first. */
export function joinTitle(...parts: (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(' - ');
}

/** The HTML document. The renderer escapes all text. */
export function renderPage(page: Page, around: Surroundings): string {
  const context: PageContext = { titles: around.titles };
  return `<!doctype html>${toWritable(renderToString(<Layout page={page} around={around} />, context))}`;
}

function Layout({ page, around }: { page: Page; around: Surroundings }) {
  return (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{page.title === SITE_NAME ? SITE_NAME : `${page.title} - ${SITE_NAME}`}</title>
        {page.description && <meta name="description" content={page.description} />}
        {page.robots && <meta name="robots" content={page.robots} />}
        {page.links?.map((link) => (
          <link key={link.rel + link.href} {...link} />
        ))}
        <link rel="stylesheet" href={around.assets['web.css']} />
        <link rel="icon" href={around.assets['icon.svg']} type="image/svg+xml" />
        {scriptsOf(page).map((name) => (
          <script key={name} defer src={around.assets[name]} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        {around.sample && (
          <aside class="sample" aria-label="About this data">
            {around.sample}
          </aside>
        )}
        <Header section={page.section} />
        <main id="main" tabIndex={-1}>
          {page.body}
        </main>
        <Footer publishers={around.publishers} />
      </body>
    </html>
  );
}

/** Any form of a personal page may take effect once only: a second click would lose the response to the first. */
const scriptsOf = ({ personal, scripts = [] }: Page) => (personal ? ['send-once.js', ...scripts] : scripts);

function Header({ section }: { section: Section | undefined }) {
  return (
    <header class="top">
      <div class="wide">
        <a class="wordmark" href="/">
          UK Procurement <em>Data</em>
        </a>
        <nav aria-label="Main">
          {SECTIONS.map(([name, href, label]) => (
            <a key={name} href={href} aria-current={name === section ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </div>
    </header>
  );
}

function Footer({ publishers }: { publishers: readonly string[] }) {
  return (
    <footer class="bottom">
      <div class="wide">
        <p>
          Contains public sector information licensed under the <a href={LICENCE_URL}>Open Government Licence v3.0</a>.{' '}
          {publishers.join(' ')}
        </p>
        <p>Not an official service: the official notice is always linked.</p>
        <nav aria-label="More">
          <a href="/status">Status</a>
          <a href="/pricing">Prices</a>
          <a href="/docs">API reference</a>
          <a href="/openapi.json">OpenAPI</a>
          <a href="/privacy">Privacy</a>
          <a href="/removal">Removal</a>
          <a href="/terms">Terms</a>
          <a href="/deprecation">Versions</a>
        </nav>
      </div>
    </footer>
  );
}

/** The head of a page: its kind, its title and a lead. */
export function Heading({ kind, title, children }: { kind?: string; title: string; children?: ComponentChildren }) {
  return (
    <div class="heading">
      {kind && <p class="kind">{kind}</p>}
      <h1>{title}</h1>
      {children}
    </div>
  );
}
