import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeDown } from '../../../jobs/takedown/run.ts';
import { AS_OF, makeNotice } from '../../ingest/small-world.ts';
import {
  copyJobs,
  type FilledJobs,
  findDiffering,
  findTemplate,
  storeReleases,
} from '../tasks/rebuild/filled-services.ts';

let template: string;
let filled: FilledJobs;
beforeAll(async () => {
  template = await findTemplate();
});
beforeEach(async () => {
  filled = await copyJobs(template);
});
afterEach(() => filled.close());

const read = <T>(sql: string) => filled.jobs.catalogue.read<T>({ sql });
const take = (noticeId: string) => takeDown(filled.jobs, { kind: 'notice', noticeId }, { reason: 'r' });
const differing = () => findDiffering(filled.jobs);

describe('a number that a service gave a supplier', () => {
  /** An award to a supplier under that number: a charity, without an address. */
  const award = (number: number, name: string, charity: string) => {
    const supplier = { id: 'GB-FTS-77', name, identifier: { scheme: 'GB-CHC', id: charity }, roles: ['supplier'] };
    return makeNotice(900_000 + number, new Date(AS_OF.getTime() - (100 - number) * 60_000), {
      planning: undefined,
      tag: ['award', 'contract'],
      parties: [supplier],
      awards: [{ id: '1', status: 'active', suppliers: [{ id: supplier.id, name }] }],
    }).release;
  };

  it('keeps the name that an earlier notice has it under, where a later one with that name is taken down', async () => {
    await storeReleases(filled.jobs, 'find_a_tender', [
      award(1, 'Quillwort Hives', '1234567'),
      award(2, 'Quillwort Hives', '7654321'),
      award(3, 'Harrowmere Wax', '7654321'),
    ]);
    await take('900002-2026');
    expect(await differing()).toEqual([]);
    await take('900003-2026');
    expect(await read("SELECT target FROM alias WHERE alias = 'gb-fts-77'")).toEqual([{ target: 'GB-CHC-1234567' }]);
    expect(await differing()).toEqual([]);
  });
});

describe('a framework whose every notice is taken down', () => {
  it('is one no more to what was called off from it', async () => {
    const tender = { id: 'r-1', title: 'Hives', techniques: { hasFrameworkAgreement: true } };
    const framework = makeNotice(900_001, AS_OF, {
      tag: ['tender'],
      planning: undefined,
      tender: { ...tender, documents: [{ id: '900001-2026', noticeType: 'UK4' }] },
    }).release;
    const supplier = { id: 'GB-COH-01234567', name: 'Quillwort Ltd', roles: ['supplier'] };
    const callOff = makeNotice(900_002, AS_OF, {
      tag: ['award', 'contract'],
      planning: undefined,
      parties: [...(framework.parties as object[]), supplier],
      relatedProcesses: [{ id: '1', relationship: ['framework'], scheme: 'ocid', identifier: framework.ocid }],
      awards: [
        {
          id: '1',
          status: 'active',
          suppliers: [{ id: supplier.id, name: supplier.name }],
          documents: [{ id: '900002-2026', noticeType: 'UK6' }],
        },
      ],
    }).release;
    await storeReleases(filled.jobs, 'find_a_tender', [framework, callOff]);
    const link = () => read("SELECT framework_id AS id FROM contract WHERE notice_id = '900002-2026'");
    expect(await link()).toEqual([{ id: framework.ocid }]);
    await take('900001-2026');
    expect(await link()).toEqual([{ id: null }]);
    expect(await differing()).toEqual([]);
  });
});

describe("a supplier whom a notice lists among its parties, though the award of its process is another's", () => {
  const CHARITY = { id: 'GB-CHC-7654321', name: 'Harrowmere Wax', roles: ['supplier'] };
  const OTHER = { id: 'GB-COH-01234567', name: 'Quillwort Ltd', roles: ['supplier'] };
  const release = (number: number, supplier: { id: string; name: string }, more: object) =>
    makeNotice(900_000 + number, new Date(AS_OF.getTime() - (100 - number) * 60_000), {
      planning: undefined,
      tag: ['award', 'contract'],
      parties: [supplier],
      ...more,
    }).release;
  const awarded = ({ id, name }: { id: string; name: string }) => ({
    awards: [{ id: '1', status: 'active', suppliers: [{ id, name }] }],
  });

  it('keeps what that notice says of it where a later one that says so too is taken down', async () => {
    const buyer = { id: 'GB-PPON-PBCD-2222-FGHJ', name: 'Combe Board' };
    const own = release(1, OTHER, { ...awarded(OTHER), buyer });
    const listed = { ...CHARITY, address: { locality: 'Combe', postalCode: 'ZZ9 9ZZ' } };
    const contracts = [{ id: '1', awardID: '1', status: 'terminated' }];
    await storeReleases(filled.jobs, 'find_a_tender', [
      own,
      release(2, listed, { ocid: own.ocid, buyer, tag: ['contractTermination'], contracts }),
      release(3, { ...CHARITY, name: 'Harrowmere Candles' }, awarded(CHARITY)),
      release(4, CHARITY, awarded(CHARITY)),
    ]);
    await take('900004-2026');
    expect(await differing()).toEqual([]);
  });
});
