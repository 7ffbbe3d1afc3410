import { storePage } from '../../../ingest/store/page.ts';
import { withLease } from '../../../jobs/process/lease.ts';
import { matchWatches } from '../../../jobs/watches/match.ts';
import { type DeliveryRow, readDeliveries } from '../../../schema/accounts/watches/deliveries.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { readChangeBounds } from '../../../schema/catalogue/changes/read.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { addWatch, readWatch, SERVICE_SECRET } from './seed.ts';

/** An item of a delivery. */
interface Listed {
  change: string;
  id: string;
  changed?: string[];
  item?: { title: string; value?: number };
}

const START = '2026-06-01T08:00:00Z';
const DATE = 'UPDATE change_instant SET at = unixepoch(?) WHERE seq > ?';

/** A tender of its own process; a later release of the same number changes it. */
export const tender = (
  number: number,
  title: string,
  { version = 0, status = 'active', endDate = '2027-01-31T12:00:00Z' } = {},
) =>
  actRelease(`${String(number).padStart(6, '0')}-2026`, `2026-05-${20 + version}T10:00:00Z`, {
    ocid: `ocds-h6vhtk-${String(number).padStart(6, '0')}`,
    tag: version === 0 ? ['tender'] : ['tenderUpdate'],
    tender: { id: `T${number}`, title, status, tenderPeriod: { endDate } },
  });

/** The award of a contract of its own process; a later release of the same number changes it. */
export const award = (
  number: number,
  title: string,
  ends?: string,
  { version = 0, amount = 90_000, status = 'active' } = {},
) =>
  actRelease(`${String(number).padStart(6, '0')}-2026`, `2026-05-${20 + version}T10:00:00Z`, {
    ocid: `ocds-h6vhtk-${String(number).padStart(6, '0')}`,
    tag: version === 0 ? ['award', 'contract'] : ['awardUpdate', 'contract'],
    tender: { id: `T${number}`, title },
    buyer: reference(COUNCIL),
    parties: [COUNCIL, BRIGHT],
    awards: [{ id: '1', status, suppliers: [reference(BRIGHT)], value: { amount, currency: 'GBP' } }],
    ...(ends && {
      contracts: [{ id: '1', awardID: '1', status: 'active', period: { startDate: '2026-05-20', endDate: ends } }],
    }),
  });

/** The matching of watches with a catalogue of its own, at an instant that a test sets. */
export async function makeMatcher(settings: Record<string, string> = {}) {
  const built = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET, ...settings });
  const { accounts, catalogue } = built.services;
  let now = new Date(START);
  const head = async () => (await readChangeBounds(catalogue)).head;
  /** The deliveries of a watch, oldest first. */
  const deliveries = async (id: string): Promise<DeliveryRow[]> => {
    const { account_id: accountId } = await readWatch(accounts, id);
    return (await readDeliveries(accounts, { accountId, watchId: id }, { limit: 100 })).reverse();
  };
  return {
    accounts,
    catalogue,
    folder: built.folder,
    head,
    readWatch: (id: string) => readWatch(accounts, id),
    deliveries,
    /** Sets the clock; without an instant, to where it began. */
    set(instant: string = START) {
      now = new Date(instant);
    },
    /** Stores releases; with an instant, they were fetched then, and the log has what they changed as of then. */
    async store(releases: JsonObject[], at?: string) {
      const before = await head();
      const page = read(packageOf(releases), 'find_a_tender');
      const fetched = { source: 'find_a_tender', fetchedAt: at ?? '2026-06-01T00:00:00Z', before: [], after: [] };
      await storePage(catalogue, { ...fetched, ...page });
      if (at !== undefined) await catalogue.write([{ sql: DATE, args: [at, before] }]);
    },
    /** Puts releases, what was compiled from them and its log back to an older state; what is stored next comes a minute later. */
    async restoreTo(seq: number, storeNext: () => Promise<void>) {
      const tables = ['process', 'notice', 'contract', 'change', 'change_instant'];
      await catalogue.write([
        { sql: 'DELETE FROM release WHERE ocid IN (SELECT ocid FROM process WHERE seq > ?)', args: [seq] },
        ...tables.map((table) => ({ sql: `DELETE FROM ${table} WHERE seq > ?`, args: [seq] })),
        { sql: "UPDATE counter SET value = ? WHERE name = 'seq'", args: [seq] },
      ]);
      await storeNext();
      await catalogue.write([{ sql: 'UPDATE change_instant SET at = at + 60 WHERE seq > ?', args: [seq] }]);
    },
    /** @param atOnce how many changes and rows are matched at once */
    async match(through = accounts, atOnce?: Parameters<typeof matchWatches>[2]) {
      const clocks = { catalogueNow: () => now, wallNow: () => now };
      const done = await withLease(accounts, 'watches', { holder: 'a test' }, (holding) =>
        matchWatches({ ...built.services, accounts: through, clocks }, holding, atOnce),
      );
      if (!done.acquired) throw new Error('another process has the lease');
      return done.result;
    },
    /** A watch that begins now; answers its id. */
    async watch(more: Partial<WatchRow> & { account_id: string }): Promise<string> {
      return (await addWatch(accounts, { position: await head(), ...more })).id;
    },
    /** Everything that a watch was to deliver, in its order. */
    async items(id: string): Promise<Listed[]> {
      return (await deliveries(id)).flatMap(({ body }) => JSON.parse(body ?? '').data.items as Listed[]);
    },
    close: () => built.close(),
  };
}
