import { type AddCommand, type Cli, parseCount, withDatabases } from './command.ts';
import { formatTable } from './table.ts';

const LISTED = ['expires_at', 'ocid', 'release_id', 'party_id', 'name', 'email', 'telephone'] as const;
type ContactRow = Record<(typeof LISTED)[number], string | null>;

export const addContacts: AddCommand = (program, cli) => {
  program
    .command('contacts')
    .description('Contact points of open tenders, where KEEP_CONTACTS keeps any; shown nowhere else')
    .option('--ocid <ocid>', 'only of this process')
    .option('--limit <rows>', 'how many', parseCount, 50)
    .action((flags: { ocid?: string; limit: number }) => list(cli, flags));
};

function list(cli: Cli, { ocid, limit }: { ocid?: string; limit: number }): Promise<void> {
  return withDatabases(cli, async ({ catalogue }) => {
    const rows = await catalogue.read<ContactRow>({
      sql: `SELECT ${LISTED.join(', ')} FROM contact WHERE ? IS NULL OR ocid = ? ORDER BY expires_at, ocid, party_id LIMIT ?`,
      args: [ocid ?? null, ocid ?? null, limit],
    });
    if (rows.length === 0) return cli.out('no contact is held');
    for (const line of formatTable(rows, LISTED)) cli.out(line);
  });
}
