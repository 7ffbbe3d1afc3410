import { parseCount } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withCatalogue } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';

const LISTED = ['expires_at', 'ocid', 'release_id', 'party_id', 'name', 'email', 'telephone'] as const;
type ContactRow = Record<(typeof LISTED)[number], string | null>;

export const addContacts: AddCommand = (command, cli) => {
  command
    .option('--ocid <ocid>', 'only of this process')
    .option('--limit <rows>', 'how many', parseCount, 50)
    .option(...AS_JSON)
    .action((flags: { ocid?: string; limit: number; json?: boolean }) => list(cli, flags));
};

function list(cli: Cli, { ocid, limit, json }: { ocid?: string; limit: number; json?: boolean }): Promise<void> {
  return withCatalogue(cli, async (catalogue) => {
    const rows = await catalogue.read<ContactRow>({
      sql: `SELECT ${LISTED.join(', ')} FROM contact WHERE ? IS NULL OR ocid = ? ORDER BY expires_at, ocid, party_id LIMIT ?`,
      args: [ocid ?? null, ocid ?? null, limit],
    });
    printRows(cli, { name: 'contacts', rows, columns: LISTED, none: 'no contact is stored' }, json);
  });
}
