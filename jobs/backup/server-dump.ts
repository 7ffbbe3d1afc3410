import type { Settings } from '../../schema/config/settings.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { hideCredentials } from '../../schema/process/log.ts';
import { ExpectedFault } from '../process/services.ts';

type AccountsServer = Pick<Settings, 'ACCOUNTS_URL' | 'ACCOUNTS_AUTH_TOKEN'>;

/** Statements in one write: enough to make each cheap, few enough for memory. */
const BATCH = 1_000;
/** Control lines for the dump's usual reader: here each batch is a transaction, and the whole file is discarded if one fails. */
const FRAME = /^(BEGIN( TRANSACTION)?|COMMIT|PRAGMA [^;]*);$/i;

/**
 * Fills an empty database from the accounts server's dump, which is its content at one instant; writes continue there meanwhile.
 * @throws ExpectedFault where the server gives no dump, or an incomplete one.
 */
export async function copyDump(settings: AccountsServer, copy: Database): Promise<void> {
  // A row may come before the row that it refers to.
  await copy.read({ sql: 'PRAGMA foreign_keys=OFF' });
  let isWhole = false;
  let batch: Statement[] = [];
  for await (const sql of splitStatements(linesOf(await askDump(settings)))) {
    isWhole = /^COMMIT;$/i.test(sql);
    if (!FRAME.test(sql)) batch.push({ sql });
    if (batch.length < BATCH && !isWhole) continue;
    await copy.write(batch);
    batch = [];
  }
  if (!isWhole) throw new ExpectedFault(BROKEN_OFF);
}

const BROKEN_OFF = 'the dump of the accounts server breaks off before its end: nothing was kept';

async function askDump({
  ACCOUNTS_URL: url,
  ACCOUNTS_AUTH_TOKEN: authToken,
}: AccountsServer): Promise<AsyncIterable<Uint8Array>> {
  // Every command starts without what speaks to servers, as most installations have none.
  const { dumpRequest } = await import('../../schema/db/remote.ts');
  const { address, headers } = dumpRequest({ url, authToken });
  const response = await fetch(address, { headers }).catch((error: Error) => {
    throw new ExpectedFault(hideCredentials(`${address} cannot be reached: ${String(error.cause ?? error)}`));
  });
  if (!response.ok || !response.body)
    throw new ExpectedFault(`${address} gives no dump (${response.status}): ask a libSQL server, the primary`);
  return readBody(response.body);
}

/** The body of an answer, whose connection may be lost before its end. */
async function* readBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new ExpectedFault(BROKEN_OFF, { cause: error });
  }
}

/** Only a line feed ends a line: other line breaks (U+2028) may occur within texts. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * The statements of a dump, from its lines. A row is one line, as the server writes line breaks within texts as char(10). A
 * statement that creates a table, index or trigger ends with a last line of its own.
 */
export async function* splitStatements(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = '';
  for await (const line of lines) {
    if (begun === '' && line.trim() === '') continue;
    begun += begun === '' ? line : `\n${line}`;
    const isEnd = /^CREATE\s+TRIGGER/i.test(begun) ? /;\s*END\s*;\s*$/i.test(begun) : line.trimEnd().endsWith(';');
    if (!isEnd) continue;
    yield begun.trimEnd();
    begun = '';
  }
  if (begun.trim() !== '') yield begun;
}
