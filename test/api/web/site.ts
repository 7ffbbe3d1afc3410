import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeOwnMachine } from '../../../api/concurrency/machine.ts';
import type { Services } from '../../../api/contract/operation.ts';
import { openExports } from '../../../schema/accounts/exports/open-storage.ts';
import { makeClocks } from '../../../schema/config/clocks.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { signText } from '../../../schema/text/signed.ts';
import type { SearchEngine } from '../../../search/engine.ts';
import { standInForBoth, withMatches } from '../../search/both-engines.ts';
import { longReadsOf, rowsOf, summariesOf } from '../../support/catalogue-services.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeOperator, type Operator } from './operator.ts';
import { makeVisitor, type Newcomer, signUp, type Visitor } from './visitor.ts';

const SECRET = 'a secret of this test only, long enough to sign';
/** A cursor of a search as a site hands it out. */
export const signCursor = (text: string) => signText({ secret: SECRET, purpose: ['search-cursor'] }, text);

export interface Site {
  url: string;
  services: Services;
  /** Somebody with a browser of their own: cookies, same origin, redirects not followed. */
  visitor(): Visitor;
  /** Reads the log of the pages. */
  operator: Operator;
  /** Somebody new, who has signed up, confirmed the address and is signed in. */
  addPerson(person: Newcomer): Promise<Visitor>;
  close(): Promise<void>;
}

/** The web app alone on a free port, over empty databases (the accounts at ACCOUNTS_URL, where it is given) and the given search engine. */
export async function startSite(settings: Record<string, string> = {}, search?: SearchEngine): Promise<Site> {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const { ACCOUNTS_URL: url } = settings;
  const accounts = url ? await openDatabase({ url, durability: 'full' }) : await makeDatabase(folder.path, 'accounts');
  const read = readSettings({
    DATA_DIR: folder.path,
    ACCOUNTS_URL: `file:${join(folder.path, 'accounts.db')}`,
    WEB_REQUESTS_PER_MINUTE: '10000',
    WEB_PAGES_PER_DAY: '100000',
    SIGN_UPS_PER_NETWORK_DAY: '1000',
    SIGN_UPS_PER_DOMAIN_DAY: '1000',
    LOG_LEVEL: 'silent',
    ...settings,
  });
  const services: Services = {
    settings: read,
    clocks: makeClocks(read.AS_OF),
    catalogue,
    accounts,
    search: standInForBoth(search ?? deadSearch),
    rows: rowsOf(catalogue),
    longReads: longReadsOf(catalogue),
    summaries: summariesOf(catalogue, read.DATA_DIR),
    machine: makeOwnMachine(),
    ...(await openExports(read, accounts)),
    secret: SECRET,
  };
  const operator = makeOperator();
  const app = await operator.web(services);
  const server = createServer(app.handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address,
    services,
    visitor: () => makeVisitor(address),
    operator,
    async addPerson(person) {
      const visitor = makeVisitor(address);
      await signUp(visitor, operator, person);
      return visitor;
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await app.close();
      await catalogue.close();
      await accounts.close();
      await folder.remove();
    },
  };
}

const none = async (): Promise<never> => {
  throw new Error('this server has no search engine');
};
const deadSearch: SearchEngine = withMatches({
  name: 'embedded',
  collection: 'notices',
  find: none,
  readCursor: async () => null,
  version: '1',
  store: none,
  openBuild: none,
  tidy: none,
  close: async () => undefined,
});
