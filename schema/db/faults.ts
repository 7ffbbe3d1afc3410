/** A database that cannot be used as it lies there: what is wrong and what an operator can do, in one sentence. */
export class DatabaseFault extends Error {
  override name = 'DatabaseFault';
}

/** A database server that does not answer, or not in time. It is asked again in a moment; nothing was written. */
export class DatabaseAway extends DatabaseFault {
  override name = 'DatabaseAway';
}

/** What SQLite's result codes mean to an operator (sqlite.org/rescode.html), most particular first. */
const MEANINGS: [RegExp, (file: string) => string][] = [
  // The file of shared memory that readers and writers need cannot grow.
  [
    /^SQLITE_(FULL|IOERR_SHMSIZE)/,
    (file) => `the disk is full: nothing of this was written to ${file}. Make room and run it again`,
  ],
  [/^SQLITE_NOTADB/, (file) => `${file} is not a database. Move it away, or put a backup in its place`],
  [/^SQLITE_CORRUPT/, (file) => `${file} is damaged. Put a backup in its place (the catalogue can be ingested again)`],
  [/^SQLITE_READONLY/, (file) => `${file} cannot be written: it, its folder or its disk is read-only to this user`],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)/, cannotOpen],
  [/^SQLITE_IOERR/, (file) => `the disk that holds ${file} failed: nothing of this was written`],
];

function cannotOpen(file: string): string {
  return `${file} cannot be opened: its folder is missing, or this user may not read and write there`;
}

/** Primary result codes. The driver knows some extended ones by their number alone: UNKNOWN_SQLITE_ERROR_1544 is 8 + 6 * 256. */
const PRIMARY: Record<number, string> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
};

/** The name of an error's SQLite result code, or of its primary one where it has no name here; empty for other errors. */
export function readCode(error: unknown): string {
  const { code = '' } = error as { code?: unknown };
  if (typeof code !== 'string') return '';
  const unnamed = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code);
  return unnamed ? (PRIMARY[Number(unnamed[1]) & 0xff] ?? code) : code;
}

/** An error of the driver as what it means to an operator; any other error (a constraint, a wrong statement) as it is. */
export function nameDatabaseFault(error: unknown, url: string): unknown {
  const { message = '' } = error as { message?: string };
  const code = readCode(error);
  const file = url.replace(/^file:/, '').replace(/\?.*$/, '');
  // The driver gives an opening that failed no code but SQLite's number at the end of its message (measured on 0.5.29).
  const meaning = /Unable to open connection .*: 14"?\)?$/.test(message)
    ? cannotOpen
    : MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
  return meaning
    ? new DatabaseFault(`${meaning(file)} (${code || 'SQLITE_CANTOPEN'}: ${message})`, { cause: error })
    : error;
}
