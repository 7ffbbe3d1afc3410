import { type ExplainedIdentity, explain, explainIdentity } from '../../../ingest/explain/by-id.ts';
import { readTakedowns } from '../../../ingest/takedown/treatment.ts';
import { makeClocks } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { parseNoticeId } from '../../../schema/text/ids.ts';
import { ExpectedFault } from '../../process/services.ts';
import { type AddCommand, type Cli, withCatalogue } from '../shared/command.ts';
import { printJson } from '../shared/listing.ts';
import { formatTable, makePrintable } from '../shared/text.ts';
import { wordExplanation } from './explain-text.ts';

export const addExplain: AddCommand = (command, cli) => {
  command
    .argument('<id>', 'a notice id, contract_id or ocid; a buyer_id or company_id for how it came to be one')
    .option('--json', 'the same as JSON')
    .action((id: string, flags: { json?: boolean }) => print(cli, id, flags.json === true));
};

function print(cli: Cli, id: string, asJson: boolean): Promise<void> {
  return withCatalogue(cli, async (catalogue, settings) => {
    const processes = await explain(catalogue, id, makeClocks(settings.AS_OF).catalogueNow());
    const identities = processes.length > 0 ? [] : await explainIdentity(catalogue, id);
    if (processes.length + identities.length === 0) throw new ExpectedFault(await whyNothing(catalogue, id));
    if (asJson) return printJson(cli, [...processes, ...identities]);
    const described = [...processes.map(wordExplanation), ...identities.map(wordIdentity)];
    for (const [index, lines] of described.entries())
      for (const line of index === 0 ? lines : ['', ...lines]) cli.out(makePrintable(line));
  });
}

async function whyNothing(catalogue: Database, id: string): Promise<string> {
  const noticeId = parseNoticeId(id);
  const takedowns = noticeId ? await readTakedowns(catalogue) : [];
  const takedown = takedowns.find((one) => one.kind === 'notice' && one.target.noticeId === noticeId);
  if (takedown) return `notice ${noticeId} was taken down on ${takedown.takenAt} (${takedown.id}): ${takedown.reason}`;
  return `nothing is stored as ${id}: it is no notice, contract, ocid, buyer or company here`;
}

function wordIdentity({ kind, id, name, contract_count, framework_places, ...identity }: ExplainedIdentity): string[] {
  return [
    `${kind} ${id}: ${name}`,
    `  contracts   ${contract_count}${framework_places > 0 ? ` and ${framework_places} places on frameworks` : ''}, the newest in ${identity.notice_ids.join(' ') || 'no notice'}`,
    `  known as    ${identity.aliases.join(' ') || id}`,
    ...identity.methods.map(
      ({ method, score, parties }) => `  tied by     ${method}, score ${score}: ${parties} parties`,
    ),
    ...identity.examples.flatMap(({ process_id, name: named, method, evidence }) => [
      `  for example ${named} in ${process_id}, by ${method}`,
      ...evidence.map((text) => `                 ${text}`),
    ]),
    'what was said of it, latest first',
    ...formatTable(identity.facts, ['last_seen', 'notice_id', 'field', 'value', 'token']).map((line) => `  ${line}`),
  ];
}
