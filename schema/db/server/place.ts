/** The HTTP address of a libSQL server, and which of its databases is meant. */
export interface ServerPlace {
  /** Without a slash at the end. */
  base: string;
  /** The namespace in the path; undefined where it is in the host, or there is one database. */
  namespace: string | undefined;
}

/** What the address of a database (`libsql:`, `http(s):` or `ws(s):`) says; `/dev/NAME` at its end is a namespace. */
export function placeOfServer(url: string): ServerPlace {
  const { protocol, host, pathname, searchParams } = new URL(url);
  const isPlain = protocol === 'http:' || protocol === 'ws:' || searchParams.get('tls') === '0';
  const [, before = pathname, namespace] = /^(.*)\/dev\/([^/]+)\/*$/.exec(pathname) ?? [];
  return { base: `${isPlain ? 'http' : 'https'}://${host}${before.replace(/\/*$/, '')}`, namespace };
}

/** Where a server answers HTTP requests for the database; the slash at its end keeps clients from dropping the namespace. */
export function httpAddressOf({ base, namespace }: ServerPlace): string {
  return `${base}${namespace ? `/dev/${namespace}` : ''}/`;
}

/** The header by which the replication service of a server knows a namespace, as gRPC writes bytes. */
export function namespaceHeader(namespace: string): Record<string, string> {
  return { 'x-namespace-bin': Buffer.from(namespace).toString('base64').replace(/=+$/, '') };
}

/**
 * The header that names a namespace, which is needed even if the path has it. When a server lets a caller in, it looks
 * there or in the host name (libSQL server 0.24).
 */
export function headersOf({ namespace }: ServerPlace): Record<string, string> {
  return namespace ? { 'x-namespace': namespace } : {};
}
