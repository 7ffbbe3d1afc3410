import { BadSettings } from '../config/settings.ts';

/** What the system's own codes mean of a file or folder that was to be made, read or written. */
const FOLDER_FAULTS: Record<string, string> = {
  ENOSPC: 'the disk is full: make room and run it again',
  EDQUOT: 'the disk quota is used up: make room and run it again',
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a file lies where a folder is due',
  ENOENT: 'there is no such folder, and none can be made',
};

/** A fault of the disk around a process as one sentence, or null where an error is of another kind. */
export function describeSurroundings(error: NodeJS.ErrnoException & { dest?: string }): string | null {
  const { code = '', path, dest } = error;
  const meaning = FOLDER_FAULTS[code];
  // Of a copy either may be meant, except for room, which only the new one needs. Bytes that did not fit tell no place.
  const isOfRoom = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS';
  const place = (isOfRoom && dest) || [path, dest].filter(Boolean).join(' or ');
  if (!meaning || (!place && !isOfRoom)) return null;
  return `${place ? `${place}: ` : ''}${meaning} (${code})`;
}

/** What a server that listens nowhere has met, as a fault of the setting that named the place; any other error as it is. */
export function nameListenFault(
  error: NodeJS.ErrnoException,
  { names, host, port }: { names: { host: string; port: string }; host: string; port: number },
): Error {
  const faults: Record<string, string> = {
    EADDRINUSE: `${names.port}: expected a free port, ${port} is taken`,
    EACCES: `${names.port}: expected a port that this user may listen on, got ${port}`,
    EADDRNOTAVAIL: `${names.host}: expected an address of this machine, got ${host}`,
    ENOTFOUND: `${names.host}: expected an address of this machine, there is no host ${host}`,
    EAI_AGAIN: `${names.host}: expected an address of this machine, no answer tells where ${host} is`,
  };
  const said = faults[error.code ?? ''];
  return said ? new BadSettings(said, { cause: error }) : error;
}
