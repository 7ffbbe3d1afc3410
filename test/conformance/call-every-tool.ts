import { toolRows } from '../../api/contract/operation.ts';
import { operations } from '../../api/operations/index.ts';
import { readReal, toReal } from '../api/transports.ts';
import { buildSampleServer } from '../support/sample-services.ts';
import { runPublicTool } from './public-tool.ts';

/** Calls every tool through the command line of the MCP inspector, with its example. The tools that did not answer. */
export async function callEveryTool(folder: string): Promise<string[]> {
  const server = await buildSampleServer({ credits: 10_000 });
  try {
    const real = await readReal(server);
    const at = ['mcp-inspector', '--cli', `${server.url}/mcp/`, '--transport', 'http'];
    const ask = (...asked: string[]) =>
      runPublicTool(folder, [...at, ...asked, '--header', `Authorization: Bearer ${server.key}`]);
    const { tools } = JSON.parse(await ask('--method', 'tools/list')) as { tools: { name: string }[] };
    const rows = toolRows(operations);
    const failed = rows.filter(({ name }) => !tools.some((tool) => tool.name === `svc_${name}`));
    for (const operation of rows) {
      const given = Object.entries(toReal(operation, operation.example, real));
      const pairs = given.flatMap(([name, value]) => [
        '--tool-arg',
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const said = await ask('--method', 'tools/call', '--tool-name', `svc_${operation.name}`, ...pairs);
      const result = JSON.parse(said) as { isError?: boolean; structuredContent?: object };
      if (result.isError || !result.structuredContent) failed.push(operation);
    }
    return failed.map(({ name }) => name);
  } finally {
    await server.close();
  }
}
