import { memoise } from './memoise.ts';

/** What a document's published address leads to, judged by the address alone; nothing is fetched. */
export const LINK_KINDS = [
  /** A service's own page of a notice, or its record of a procurement. */
  'notice',
  /** A file, by its extension or because the service calls it an attachment. */
  'file',
  /** A page of a site, whatever it holds. */
  'page',
  /** The front page of a site: nothing there is this document. */
  'landing_page',
  /** A page that asks for a login before it shows anything. */
  'login_page',
  /** A mail address, which is not served. */
  'mail',
  /** An address inside somebody's own network. */
  'private',
  /** No address at all (`http://N/A`, `htp:/example`). */
  'broken',
] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export interface Link {
  kind: LinkKind;
  /** Why nobody should follow it to find the document. */
  junk?: string;
}

const ATTACHMENT =
  /[/_](?:attachment|supplierattachment|download(?:proxy|document|file)?|(?:document|file)download|getfile|getdocument)\b/i;
const FILE =
  /\.(?:pdf|docx?|docm|rtf|odt|xlsx?|xlsm|xlsb|ods|csv|pptx?|odp|zip|7z|rar|txt|xml|json|jpe?g|png|tiff?|dwg|msg)$/i;
const LOGIN = /^(?:log[-_]?(?:in|on)|sign[-_]?(?:in|on|up)|sso|saml2?|auth|authenticate|user[-_]?login)$/i;
const FRONT = /^(?:index|home|homepage|default|welcome|main|start)$/i;
const PRIVATE =
  /^(?:localhost|.+\.(?:local|localhost|internal|intranet|lan|corp|home)|127\..+|10\..+|192\.168\..+|169\.254\..+|172\.(?:1[6-9]|2\d|3[01])\..+|0\.0\.0\.0|\[.*\])$/i;
const HOST = /^(?:[a-z0-9_-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$|^\d{1,3}(?:\.\d{1,3}){3}$/i;

/** What comes between a host and the number of a notice in an address, which may be an escaped part of another. */
export const ADDRESS_PATH = String.raw`(?:/|%2f)[^\s"'<>]{0,60}?`;

/** Where a service has pages of one kind: each address is `base` plus a number of this form, which elsewhere follows `prefix`. */
export interface OfficialPages {
  base: string;
  /** The source of a regular expression for the whole number, prefix included; case does not matter. */
  number: string;
  prefix: string;
}

/** How a service's notices and procurements are numbered, and where their pages are. */
interface OwnPages {
  id: RegExp;
  pageBase: string;
  prefix?: string;
  ocid: RegExp;
  recordBase: string;
}

/** The addresses of a service's notice pages, and of its records of whole procurements. */
export function listOfficialPages({ id, pageBase, prefix = '', ocid, recordBase }: OwnPages): OfficialPages[] {
  return [
    { base: pageBase, number: id.source, prefix },
    { base: recordBase, number: ocid.source, prefix: '' },
  ];
}

/** Returns a test for whether an address is one of these pages, whatever its scheme, its case, and what follows the number. */
export function makeOfficialTest(all: readonly OfficialPages[]): (address: string) => boolean {
  const known = all.map(({ base, number, prefix }) => ({
    base: plainAddress(base),
    number: new RegExp(number, 'i'),
    prefix,
  }));
  return (address) => {
    const plain = plainAddress(address);
    return known.some(({ base, number, prefix }) => {
      if (!plain.startsWith(base)) return false;
      const rest = plain.slice(base.length).replace(/\/?(?:[?#&].*)?$/, '');
      return number.test(prefix + rest);
    });
  };
}

function plainAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^http:/, 'https:');
}

const JUNK: Partial<Record<LinkKind, string>> = {
  landing_page: 'the front page of a site, not a document',
  login_page: 'a page that asks for a login',
  mail: 'a mail address, which is not served',
  private: 'an address inside a private network',
};

/** An address as a browser opens it: many leave out the scheme of `www.example.org`. */
export function withHttps(address: string): string {
  return /^www\./i.test(address) ? `https://${address}` : address;
}

/** An address from its beginning on. A bracket that opens within the address closes in it. */
const addressFrom = (beginning: string) =>
  new RegExp(`${beginning}[^\\s<>"]*[^\\s<>"'’.,;:!?()[\\]](?:(?<=/[^\\s<>"]*\\([^\\s<>"()]*)\\))?`, 'i');
const WITH_SCHEME = addressFrom('https?://');
const WITHOUT_SCHEME = addressFrom('\\bwww\\.');

/** The first address in a text, if possible one with its scheme, without the signs that end its sentence; undefined where there is none. */
export function findAddress(text: string): string | undefined {
  const [found] = WITH_SCHEME.exec(text) ?? WITHOUT_SCHEME.exec(text) ?? [];
  return found && withHttps(found);
}

/** What a published address is, judged by its form alone, and whether it is junk. Never `notice`: the sources decide that. */
export const readLink = memoise((address): Link => {
  const given = address.trim();
  if (/^mailto:/i.test(given)) return link('mail');
  if (given === '' || /\s/.test(given)) return broken('not an address');
  if (!/^https?:\/\/[^/]/i.test(given)) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(given)?.[1];
    return broken(
      scheme ? `not an address that a browser opens (${scheme.toLowerCase()}:)` : 'no http or https address',
    );
  }
  const url = parse(given);
  if (!url) return broken('not an address');
  if (PRIVATE.test(url.hostname)) return link('private');
  if (!HOST.test(url.hostname)) return broken('its host is no name of a site');
  return link(kindOfPage(url));
});

function kindOfPage({ pathname, search, hash }: URL): LinkKind {
  const steps = pathname.split('/').filter((step) => step !== '');
  const last = steps.at(-1) ?? '';
  if (FILE.test(last) || ATTACHMENT.test(pathname)) return 'file';
  const names = steps.map((step) => step.replace(/\.[a-z]{2,5}$/i, ''));
  if (names.some((name) => LOGIN.test(name))) return 'login_page';
  const isFront = names.every((name) => FRONT.test(name) || name === 'web' || name === 'portal');
  return isFront && search === '' && !/^#.*\//.test(hash) ? 'landing_page' : 'page';
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

function link(kind: LinkKind): Link {
  const junk = JUNK[kind];
  return junk ? { kind, junk } : { kind };
}

function broken(why: string): Link {
  return { kind: 'broken', junk: why };
}

/** A name for a document that has none: what it is, otherwise the file that its address ends with. */
export function labelOf(documentType: string | undefined, url: string): string {
  if (documentType)
    return documentType.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  const last = /\/([^/?#]+)\/?(?:[?#].*)?$/.exec(url)?.[1];
  return last?.includes('.') ? last : 'Document';
}
