/** What the system's error codes mean for a file or folder that was created, read or written. */
const FOLDER_FAULTS: Record<string, string> = {
  ENOSPC: 'the disk is full: make room and run it again',
  EDQUOT: 'the disk quota is used up: make room and run it again',
  EIO: 'the disk failed',
  EMFILE: 'this process may open no more files: raise its limit (ulimit -n)',
  ENFILE: 'this machine can open no more files',
  EACCES: 'this user may not read and write there',
  EPERM: 'this user may not read and write there',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'there is a file where a folder should be',
  ELOOP: 'its links lead round in a circle',
  ENAMETOOLONG: 'its name is longer than this disk takes',
  ENOENT: 'there is no such folder, and none can be made',
};

/** A disk fault of a process as one sentence, or null for any other error. */
export function describeSurroundings(error: NodeJS.ErrnoException & { dest?: string }): string | null {
  const { code = '', path, dest } = error;
  const meaning = FOLDER_FAULTS[code];
  // When copying, either file may be meant, except for lack of space, which concerns the new one. A failed write names no path.
  const isOfRoom = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS';
  const place = (isOfRoom && dest) || [path, dest].filter(Boolean).join(' or ');
  if (!meaning || (!place && !isOfRoom)) return null;
  return `${place ? `${place}: ` : ''}${meaning} (${code})`;
}
