import type { Database } from '../../schema/db/interface.ts';

interface Command {
  title: string;
  text: string;
}

interface Server {
  url: string;
  key: string;
  toolPrefix: string;
}

/** Three commands to paste, about things in the catalogue. */
export async function makeCommands(catalogue: Database, asOf: Date, server: Server): Promise<Command[]> {
  const word = await readFrequentWord(catalogue, asOf);
  const number = await readBusiestCompany(catalogue);
  const bearer = `-H 'Authorization: Bearer ${server.key}'`;
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: `${server.toolPrefix}search_notices`, arguments: { query: word, limit: 5 } },
  };
  const accept = `-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'`;
  return [
    { title: 'live tenders', text: `curl -s '${server.url}/v1/tenders/search?query=${word}&limit=5' ${bearer}` },
    { title: 'a supplier', text: `curl -s '${server.url}/v1/companies/${number}/profile?limit=5' ${bearer}` },
    {
      title: 'the same over MCP',
      text: `curl -s '${server.url}/mcp/' ${bearer} ${accept} -d '${JSON.stringify(call)}'`,
    },
  ];
}

/** Words that do not say what is bought. */
const DULL = /^(services?|supply|supplies|provision|contracts?|framework|system|agreement|procurement|tender)$/;

/** The word about a trade that most titles of live tenders share. */
async function readFrequentWord(catalogue: Database, asOf: Date): Promise<string> {
  const rows = await catalogue.read<{ title: string }>({
    sql: "SELECT title FROM notice WHERE is_tender = 1 AND gone = 0 AND status = 'open' AND deadline_at > ?",
    args: [asOf.toISOString()],
  });
  const counts = new Map<string, number>();
  for (const { title } of rows) {
    const words = new Set(title.toLowerCase().match(/\b[a-z]{6,}\b/g));
    for (const word of words) if (!DULL.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  if (!most) throw new Error('no tender is live at the instant the clock is held at');
  return most[0];
}

/** A company in the register, if there is one: its profile then shows the record. */
async function readBusiestCompany(catalogue: Database): Promise<string> {
  const [row] = await catalogue.read<{ company_number: string }>({
    sql: `SELECT company_number FROM company WHERE company_number IS NOT NULL AND gone = 0
          ORDER BY EXISTS (SELECT 1 FROM registered_company AS r WHERE r.company_number = company.company_number AND r.gone = 0) DESC,
            contract_count DESC, id LIMIT 1`,
  });
  if (!row) throw new Error('no supplier with a company number was ingested');
  return row.company_number;
}
