/**
 * The address by which SQLite opens a file. The escaped signs would end or change a path there, and two slashes begin a host's name.
 * By default, the driver reads through a layer for encrypted files, which takes a read that failed for one that succeeded (measured
 * on 0.5.29): whatever was in the buffer then counts as the page, and is written. Through `unix` a read that fails is an error.
 */
export function fileAddress(path: string): string {
  if (path === ':memory:') return path;
  const escaped = path.replace(/^\/+/, '/').replace(/[%?#]/g, encodeURIComponent);
  return `file:${escaped}?vfs=unix`;
}

/** The address by which SQLite opens a file that is only read. */
export const readOnlyAddress = (path: string) => `${fileAddress(path)}&mode=ro`;
