import type { Operator } from './operator.ts';

/** A browser as far as our forms need one: it keeps cookies, says where a form stood, and follows nothing by itself. */
export interface Visitor {
  get(path: string): Promise<Answer>;
  /** Sends the fields as a form; hidden fields of the last page are included unless given. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  cookies: Map<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  html: string;
  location: string | null;
}

export interface Newcomer {
  name?: string;
  email: string;
  password?: string;
}

export const PASSWORD = 'a long enough password';

/** What is read between the tags. */
export function wordsIn(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Signs up, follows the link that the operator finds in the log, and stands on the dashboard. Answers what the confirmation did. */
export async function signUp(
  visitor: Visitor,
  operator: Operator,
  { name = 'Ada', email, password = PASSWORD }: Newcomer,
  headers?: Record<string, string>,
): Promise<Answer> {
  await visitor.get('/sign-up');
  const link = await operator.readLink(() => visitor.post('/sign-up', { name, email, password }, headers));
  const answer = await follow(visitor, link, { password, headers });
  await visitor.get('/dashboard');
  return answer;
}

/** Opens the link of a sign-up, types its password and presses the button. */
export async function follow(
  visitor: Visitor,
  path: string,
  { password = PASSWORD, headers }: { password?: string; headers?: Record<string, string> | undefined } = {},
): Promise<Answer> {
  await visitor.get(path);
  const link = new URLSearchParams(path.split('?')[1]).get('link') ?? '';
  return visitor.post('/confirm', { link, password }, headers);
}

export function makeVisitor(url: string): Visitor {
  const cookies = new Map<string, string>();
  let token = '';
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const html = await response.text();
    token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? token;
    return { status: response.status, headers: response.headers, html, location: response.headers.get('location') };
  };
  return {
    cookies,
    get: (path) => ask(path),
    post: (path, fields, headers = { origin: url }) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ form_token: token, ...fields }).toString(),
      }),
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';');
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  if (!value || /max-age=0/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}
