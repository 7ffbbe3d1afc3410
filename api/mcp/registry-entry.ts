import type { Settings } from '../../schema/config/settings.ts';
import { SERVER_INFO } from './call-tool.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * The entry of this server in the public MCP registry (`server.json`). Its name lies in the domain of BASE_URL: the publisher
 * proves that the domain is theirs.
 */
export function makeServerEntry({ BASE_URL, APP_URL }: Pick<Settings, 'BASE_URL' | 'APP_URL'>) {
  const domain = new URL(BASE_URL).hostname.split('.').toReversed().join('.');
  const { name, title, version } = SERVER_INFO;
  return {
    $schema: SCHEMA,
    name: `${domain}/${name}`,
    title,
    description: 'UK public procurement: live tenders, contracts, suppliers, buyers and frameworks, from the sources',
    version,
    websiteUrl: `${APP_URL}/docs/agents`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${BASE_URL}/mcp/`,
        headers: [
          {
            name: 'Authorization',
            description: 'Bearer, and an API key from the dashboard',
            value: 'Bearer {api_key}',
            isRequired: true,
            isSecret: true,
            variables: { api_key: { description: 'An API key from the dashboard', isRequired: true, isSecret: true } },
          },
        ],
      },
    ],
  };
}
