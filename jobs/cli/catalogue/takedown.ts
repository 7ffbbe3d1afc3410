import { hostname, userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import {
  findUnfindable,
  liftStatements,
  readLifted,
  readPending,
  type Wanted,
} from '../../../ingest/takedown/record.ts';
import { readTakedowns, type Takedown, textsOf } from '../../../ingest/takedown/treatment.ts';
import { parseNoticeId } from '../../../schema/text/ids.ts';
import { describeHolder } from '../../process/lease.ts';
import { ExpectedFault, UsageFault } from '../../process/services.ts';
import { keepTakedowns } from '../../takedown/kept.ts';
import { takeDown } from '../../takedown/run.ts';
import { parseEmail } from '../shared/arguments.ts';
import { type AddCommand, type Cli, withCatalogue, withServices, withSignal } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';
import { countOf } from '../shared/text.ts';

interface PersonFlags {
  name?: string[];
  address?: string[];
  email?: string[];
  phone?: string[];
  reason: string;
}

export const addTakedown: AddCommand = (takedown, cli) => {
  takedown
    .command('notice')
    .description('Remove a notice from the catalogue, the index and finished exports, and keep it out')
    .argument('<notice>', 'its notice id')
    .requiredOption('--reason <text>', 'why, for the record')
    .action((notice: string, { reason }: { reason: string }) => take(cli, wantedNotice(notice), reason));
  takedown
    .command('person')
    .description("Remove a person's name, e-mail and telephone from everything stored, and keep them out")
    .option('--name <name>', 'a name as it is published, two words at least; may be repeated', collectNames)
    .option('--address <text>', 'an address as it is published; may be repeated', collectNames)
    .option('--email <address>', 'may be repeated', collectEmails)
    .option('--phone <number>', 'however written; may be repeated', collectPhones)
    .requiredOption('--reason <text>', 'why, for the record')
    .action((flags: PersonFlags) => take(cli, wantedPerson(flags), flags.reason));
  takedown
    .command('list')
    .description('What was taken down, when, by whom and why')
    .option(...AS_JSON)
    .action(({ json }: { json?: boolean }) => list(cli, json));
  takedown
    .command('lift')
    .description('Accept future publications again; what was removed stays removed')
    .argument('<takedown>', 'its id in the list')
    .action((id: string) => lift(cli, id));
};

function wantedNotice(text: string): Wanted {
  const noticeId = parseNoticeId(text);
  if (!noticeId) throw new UsageFault(`${text} is no notice id (012345-2026, a GUID, or PCS-SEP427811)`);
  return { kind: 'notice', noticeId };
}

function wantedPerson({ name = [], address = [], email = [], phone = [] }: PersonFlags): Wanted {
  const terms = { names: name, texts: address, emails: email, telephones: phone };
  if (Object.values(terms).every((some) => some.length === 0))
    throw new UsageFault('say who: --name, --address, --email or --phone');
  const unfindable = findUnfindable(terms);
  if (unfindable.length > 0)
    throw new UsageFault(
      `${unfindable.join('; ')} would be found in no text: give each term alone, as it is published`,
    );
  return { kind: 'person', terms };
}

/** A single word would also be removed from texts about somebody or something else. */
function collectNames(text: string, before: string[] = []): string[] {
  if ((text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= 2) return [...before, text];
  throw new InvalidArgumentError('Expected two words at least.');
}

function collectEmails(text: string, before: string[] = []): string[] {
  return [...before, parseEmail(text)];
}

function collectPhones(text: string, before: string[] = []): string[] {
  if (text.replace(/\D/g, '').length >= 8) return [...before, text];
  throw new InvalidArgumentError('Expected a whole telephone number.');
}

function take(cli: Cli, wanted: Wanted, reason: string): Promise<void> {
  return withServices(cli, (services) =>
    withSignal(async (signal) => {
      const done = await takeDown(services, wanted, { reason, by: operator(), signal });
      if (!done.acquired)
        throw new ExpectedFault(
          `another takedown is being carried out by ${describeHolder(done)}; try again when that has ended`,
        );
      const { id, releases, processes, exports, answers } = done.result;
      cli.out(
        `${id}: ${countOf(releases, 'release')} of ${countOf(processes, 'process', 'processes')}, ` +
          `${countOf(exports, 'export file')}, ${countOf(answers, 'remembered answer')}`,
      );
      if (releases === 0) cli.out('no stored release has it; it is kept out from now on');
    }),
  );
}

function list(cli: Cli, asJson: boolean | undefined): Promise<void> {
  return withCatalogue(cli, async (catalogue) => {
    const takedowns = await readTakedowns(catalogue);
    const lifted = await readLifted(catalogue);
    const pending = await readPending(catalogue);
    const active = takedowns.map((one) => ({
      id: one.id,
      kind: one.kind,
      about: describe(one),
      taken_at: one.takenAt,
      by: one.takenBy,
      state: pending.has(one.id) ? 'under way' : 'done',
      reason: one.reason,
    }));
    const former = lifted.map((one) => ({ ...one, by: one.taken_by, state: `lifted ${one.lifted_at}`, about: null }));
    const rows = [...active, ...former];
    const columns = ['id', 'kind', 'state', 'taken_at', 'by', 'about', 'reason'] as const;
    printRows(cli, { name: 'takedowns', rows, columns, none: 'nothing was taken down' }, asJson);
  });
}

/** Who did it, for the record. */
function operator(): string {
  return `${userInfo().username}@${hostname()}`;
}

/** E-mail addresses and telephone numbers are stored as digests: they can be counted, not shown. */
function describe(takedown: Takedown): string {
  if (takedown.kind === 'notice') return takedown.target.noticeId;
  const { emails, telephones } = takedown.target;
  const counted = [`e-mails ${emails.length}`, `telephones ${telephones.length}`];
  return [...textsOf(takedown.target), ...counted.filter((text) => !text.endsWith(' 0'))].join('; ');
}

function lift(cli: Cli, id: string): Promise<void> {
  return withServices(cli, async (services) => {
    await services.catalogue.write(liftStatements(id, services.clocks.wallNow()));
    // Also one that was lifted before: the accounts may not have learned of it, as they were away or their disk was full.
    if (!(await readLifted(services.catalogue)).some((one) => one.id === id))
      throw new ExpectedFault(`there is no takedown ${id}`);
    await keepTakedowns(services);
    cli.out(`${id} is lifted: what is published from now on is stored again`);
  });
}
