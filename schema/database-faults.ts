/** A database that cannot be used as it lies there: what is wrong and what an operator can do, in one sentence. */
export class DatabaseFault extends Error {
  override name = 'DatabaseFault';
}

/** What SQLite's result codes mean to an operator (sqlite.org/rescode.html), most particular first. */
const MEANINGS: [RegExp, (file: string) => string][] = [
  [/^SQLITE_FULL/, (file) => `the disk is full: nothing of this was written to ${file}. Make room and run it again`],
  [/^SQLITE_NOTADB/, (file) => `${file} is not a database. Move it away, or put a backup in its place`],
  [/^SQLITE_CORRUPT/, (file) => `${file} is damaged. Put a backup in its place (the catalogue can be ingested anew)`],
  [/^SQLITE_READONLY/, (file) => `${file} cannot be written: it, its folder or its disk is read-only to this user`],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)/, cannotOpen],
  [/^SQLITE_IOERR/, (file) => `the disk that holds ${file} failed: nothing of this was written`],
];

function cannotOpen(file: string): string {
  return `${file} cannot be opened: its folder is missing, or this user may not read and write there`;
}

/** An error of the driver as what it means to an operator; any other error (a constraint, a wrong statement) as it is. */
export function nameDatabaseFault(error: unknown, url: string): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const file = url.replace(/^file:/, '').replace(/\?.*$/, '');
  // The driver gives an opening that failed no code but SQLite's number at the end of its message (measured on 0.5.29).
  const meaning = /Unable to open connection .*: 14"?\)?$/.test(message)
    ? cannotOpen
    : MEANINGS.find(([pattern]) => pattern.test(code))?.[1];
  return meaning
    ? new DatabaseFault(`${meaning(file)} (${code || 'SQLITE_CANTOPEN'}: ${message})`, { cause: error })
    : error;
}
