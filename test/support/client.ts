/** A REST answer in the form that tests check. */
export interface Asked {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  body: any;
}

export async function ask(url: string, path: string, key?: string, init: RequestInit = {}): Promise<Asked> {
  const headers = { ...(key ? { authorization: `Bearer ${key}` } : {}), ...(init.headers as Record<string, string>) };
  const response = await fetch(url + path, { ...init, headers });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : null };
}
