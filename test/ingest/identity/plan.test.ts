import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameId, readSighting } from '../../../ingest/party/sighting.ts';
import { rematchSuppliers } from '../../../ingest/register/suppliers.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { partyOf } from '../../../schema/ocds/release.ts';
import { compareIds, identityId } from '../../../schema/text/ids.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, COUNCIL, packageOf, read, reference } from '../compile/releases.ts';

describe('identifiers', () => {
  it('become URL-safe ids; junk is refused', () => {
    expect(identityId('GB-COH', '1234567')).toBe('GB-COH-01234567');
    expect(identityId('gb-coh', 'sc 12345')).toBe('GB-COH-SC012345');
    expect(identityId('GB-COH', 'RJR')).toBeNull();
    expect(identityId('GB-COH', 'GB123456789')).toBeNull();
    expect(identityId('GB-PPON', 'pbcd-1234-fghj')).toBe('GB-PPON-PBCD-1234-FGHJ');
    expect(identityId('GB-PPON', 'XBCD-1234')).toBeNull();
    expect(identityId('GB-SRS', 'sid4gov.cabinetoffice.gov.uk/abC1')).toBe('GB-SRS-SID4GOV.CABINETOFFICE.GOV.UK-ABC1');
    expect(identityId('GB-VAT', 'GB123')).toBeNull();
    expect(identityId('GB-FTS', '123')).toBeNull();
  });

  it('rank by scheme, then by text', () => {
    const ids = ['name-a-1', 'GB-NHS-RJR', 'GB-PPON-PBCD-1234-FGHJ', 'GB-COH-2', 'GB-COH-1'];
    expect(ids.toSorted(compareIds)).toEqual([
      'GB-COH-1',
      'GB-COH-2',
      'GB-PPON-PBCD-1234-FGHJ',
      'GB-NHS-RJR',
      'name-a-1',
    ]);
  });

  it('without a scheme of their own, or as a text, are those of the scheme that they spell', () => {
    const idsOf = (identifier: unknown) => {
      const party = partyOf({ id: 'org-1', name: 'X', identifier });
      return party && readSighting(party).ids;
    };
    for (const id of ['GB-CHC-1234567', 'gb-chc-1234567'])
      for (const identifier of [id, { id }, { scheme: '', id }, [id]])
        expect(idsOf(identifier)).toEqual(['GB-CHC-1234567']);
    expect(['1234567', 'GB-FTS-1234567', 'GB-CHC-N/A'].map(idsOf)).toEqual([[], [], []]);
  });

  it('of old Find a Tender without a scheme are believed in full form only', () => {
    const party = (id: string) => ({
      name: 'X',
      identifier: { id },
      additionalIdentifiers: [],
      roles: [],
      classifications: [],
    });
    expect(readSighting(party('02366678'))).toMatchObject({
      ids: ['GB-COH-02366678'],
      notes: ['company number published without a scheme'],
    });
    expect(readSighting(party('4711')).ids).toEqual([]);
    expect(readSighting(party('PBCD-1234-FGHJ')).ids).toEqual(['GB-PPON-PBCD-1234-FGHJ']);
  });
});

describe('who is who', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let catalogue: Database;
  let serial = 0;
  beforeAll(async () => {
    folder = await makeFolder();
    catalogue = await makeDatabase(folder.path, 'catalogue');
  });
  afterAll(async () => {
    await catalogue.close();
    await folder.remove();
  });

  /** Stores an award and tells how its supplier was tied to an identity. */
  async function win(supplier: JsonObject, buyer: JsonObject = COUNCIL) {
    serial += 1;
    const number = String(serial).padStart(6, '0');
    const release = actRelease(`${number}-2026`, '2026-02-01T00:00:00Z', {
      ocid: `ocds-h6vhtk-${number}`,
      tag: ['award', 'contract'],
      buyer: reference(buyer),
      parties: [buyer, { roles: ['supplier'], ...supplier }],
      awards: [{ id: '1', status: 'active', suppliers: [reference(supplier)] }],
    });
    const page = read(packageOf([release]));
    await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-01T00:00:00Z', ...page, before: [], after: [] });
    return party(`ocds-h6vhtk-${number}`, 'supplier');
  }
  const party = async (process: string, role: string) => {
    type Row = { identity_id: string; method: string; score: number };
    const sql = 'SELECT identity_id, method, score FROM party WHERE process_id = ? AND role = ?';
    return (await catalogue.read<Row>({ sql, args: [process, role] }))[0];
  };
  const leads = async (kind: string, alias: string) =>
    (
      await catalogue.read<{ target: string }>({
        sql: 'SELECT target FROM alias WHERE kind = ? AND alias = ?',
        args: [kind, alias],
      })
    )[0]?.target;
  const sighting = (name: string) => readSighting({ name, additionalIdentifiers: [], roles: [], classifications: [] });
  const at = (postalCode: string) => ({ address: { postalCode } });

  it('a name without identifier and postcode is never a guess', async () => {
    expect(await win({ id: 'GB-FTS-10', name: 'Amber Tree Care' })).toMatchObject({ method: 'unmatched', score: 0 });
  });

  it('a name with its postcode follows the identifier once one release has both', async () => {
    const before = await win({ id: 'GB-FTS-11', name: 'Copper Kettle Catering Ltd', ...at('BS1 4QS') });
    expect(before).toMatchObject({ method: 'unmatched' });
    const identifier = { scheme: 'GB-COH', id: '4150627' };
    const named = await win({ id: 'p', name: 'Copper Kettle Catering', identifier, ...at('BS1 4QS') });
    expect(named).toEqual({ identity_id: 'GB-COH-04150627', method: 'company_number', score: 1 });
    const process = `ocds-h6vhtk-${String(serial - 1).padStart(6, '0')}`;
    expect(await party(process, 'supplier')).toMatchObject({ identity_id: 'GB-COH-04150627', method: 'name_postcode' });
    expect(await leads('company', 'gb-fts-11')).toBe('GB-COH-04150627');
    const gone = await catalogue.read({
      sql: 'SELECT gone FROM company WHERE id = ?',
      args: [before?.identity_id ?? ''],
    });
    expect(gone).toEqual([{ gone: 1 }]);
  });

  it('two companies of one name at one postcode leave the name to itself', async () => {
    const same = { name: 'Delta Signs Ltd', ...at('M1 1AA') };
    await win({ id: 'a', ...same, identifier: { scheme: 'GB-COH', id: '11111111' } });
    await win({ id: 'b', ...same, identifier: { scheme: 'GB-COH', id: '22222222' } });
    expect(await win({ id: 'c', ...same })).toMatchObject({ method: 'unmatched' });
  });

  it("a source's own number leads on only while its sightings agree", async () => {
    await win({ id: 'GB-FTS-12', name: 'Ember Lifts', ...at('M2 2BB') });
    expect(await leads('company', 'gb-fts-12')).toMatch(/^name-ember-lifts-/);
    await win({ id: 'GB-FTS-12', name: 'Frost Lifts', ...at('M2 2BB') });
    expect(await leads('company', 'gb-fts-12')).toBeUndefined();
    expect(await leads('company', 'gb-fts-11')).toBe('GB-COH-04150627');
  });

  it("a source's own number leads nowhere where it has two names or two places", async () => {
    const identifier = { scheme: 'GB-COH', id: '07777777' };
    const register = { scheme: 'GB-PPON', id: 'PDZG-3487-DPVJ' };
    await win({ id: 'GB-FTS-14', name: 'Hazel Lifts', ...at('M3 3CC') });
    await win({ id: 'GB-FTS-14', name: 'Hazel Lifts', ...at('M4 4DD') });
    expect(await leads('company', 'gb-fts-14')).toBeUndefined();
    await win({ id: 'p', name: 'Iron Lifts', identifier, additionalIdentifiers: [register] });
    await win({ id: 'GB-FTS-15', name: 'Iron Lifts', identifier });
    await win({ id: 'GB-FTS-15', name: 'Iron Lifts', identifier: register });
    expect(await leads('company', 'gb-fts-15')).toBe('GB-COH-07777777');
    await win({ id: 'GB-FTS-15', name: 'Iron Holdings', identifier });
    expect(await leads('company', 'gb-fts-15')).toBeUndefined();
  });

  it('one number leads a buyer and a supplier each to its own identity', async () => {
    const trust = { id: 't', name: 'Gullford Trust', identifier: { scheme: 'GB-NHS', id: 'RJR' } };
    const additionalIdentifiers = [{ scheme: 'GB-PPON', id: 'PBCD-1234-FGHJ' }];
    await win({ id: 'x', name: 'Any Firm' }, { ...trust, additionalIdentifiers, roles: ['buyer'] });
    expect(await win(trust)).toMatchObject({ identity_id: 'GB-NHS-RJR' });
    expect(await leads('buyer', 'gb-nhs-rjr')).toBe('GB-PPON-PBCD-1234-FGHJ');
    expect(await leads('company', 'gb-nhs-rjr')).toBe('GB-NHS-RJR');
    // The same by the other number alone: less sure, as the two were published together.
    await win({ id: 'y', name: 'Any Firm' }, { ...trust, roles: ['buyer'] });
    const process = `ocds-h6vhtk-${String(serial).padStart(6, '0')}`;
    const together = { identity_id: 'GB-PPON-PBCD-1234-FGHJ', method: 'identifier', score: 0.9 };
    expect(await party(process, 'buyer')).toEqual(together);
    const both = { id: 'GB-FTS-16', name: 'Gullford Harbour' };
    await win({ id: 'z', name: 'Any Firm' }, { ...both, roles: ['buyer'] });
    const own = [nameId('buyer', sighting(both.name)), (await win(both))?.identity_id];
    expect([await leads('buyer', 'gb-fts-16'), await leads('company', 'gb-fts-16')]).toEqual(own);
  });

  it('the register names a supplier by exact name and postcode', async () => {
    await catalogue.write([
      {
        sql: `INSERT INTO registered_company (company_number, name, name_key, status, category, postcode, record, digest, seq)
              VALUES ('SC555555', 'GLEN ROOFING LTD', 'glen roofing', 'Active', 'x', 'EH1 1AA', '{}', 'd', 1)`,
      },
    ]);
    expect(await win({ id: 'g', name: 'Glen Roofing Limited', ...at('EH11AA') })).toEqual({
      identity_id: 'GB-COH-SC555555',
      method: 'name_postcode',
      score: 0.99,
    });
  });

  it('the register may come later: suppliers by name are looked up again', async () => {
    const before = await win({ id: 'h', name: 'Heron Paving Ltd', ...at('PE1 1AA') });
    expect(before).toMatchObject({ method: 'unmatched' });
    await catalogue.write([
      {
        sql: `INSERT INTO registered_company (company_number, name, name_key, status, category, postcode, record, digest, seq)
              VALUES ('06666666', 'HERON PAVING LIMITED', 'heron paving', 'Active', 'x', 'PE1 1AA', '{}', 'd', 1)`,
      },
    ]);
    const moveTo = () => ({ sql: 'SELECT 1' });
    const from = { stage: 'numbers', at: '' } as const;
    expect(await rematchSuppliers(catalogue, { since: -1, from, before: [], moveTo })).toMatchObject({ matched: 1 });
    const process = `ocds-h6vhtk-${String(serial).padStart(6, '0')}`;
    expect(await party(process, 'supplier')).toMatchObject({ identity_id: 'GB-COH-06666666', method: 'name_postcode' });
    const companies = "SELECT id, contract_count FROM company WHERE name = 'Heron Paving Ltd' AND gone = 0";
    expect(await catalogue.read({ sql: companies })).toEqual([{ id: 'GB-COH-06666666', contract_count: 1 }]);
  });

  it('named twice in one award, a supplier stands where it was named first', async () => {
    const party = (id: string, name: string, number: string) => {
      return { id, name, roles: ['supplier'], identifier: { scheme: 'GB-COH', id: number } };
    };
    const parties = [party('a', 'Ibis', '3000001'), party('b', 'Jay', '3000002'), party('c', 'Ibis (UK)', '3000001')];
    const release = actRelease('900001-2026', '2026-02-01T00:00:00Z', {
      ocid: 'ocds-h6vhtk-900001',
      tag: ['award', 'contract'],
      parties: [COUNCIL, ...parties],
      awards: [{ id: '1', status: 'active', suppliers: parties.map(reference) }],
    });
    const page = read(packageOf([release]));
    await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-01T00:00:00Z', ...page, before: [], after: [] });
    const sql =
      "SELECT supplier, company_id FROM contract JOIN contract_supplier ON contract_id = id WHERE process_id LIKE '%900001'";
    expect(await catalogue.read({ sql })).toEqual([
      { supplier: 'Ibis', company_id: 'GB-COH-03000001' },
      { supplier: 'Ibis', company_id: 'GB-COH-03000002' },
    ]);
  });

  it('a buyer is one under all its numbers and spellings, and keeps every old id as an alias', async () => {
    const supplier = { id: 'w', name: 'Any Firm' };
    const ministry = (id: string, more: JsonObject = {}) => ({
      id,
      name: 'Ministry of Weather',
      roles: ['buyer'],
      ...more,
    });
    for (let number = 901; number <= 977; number++) await win(supplier, ministry(`GB-FTS-${number}`));
    const old = nameId('buyer', sighting('The Ministry of Weather'));
    expect(await leads('buyer', 'gb-fts-901')).toBe(old);
    const latest = `ocds-h6vhtk-${String(serial).padStart(6, '0')}`;
    expect(await party(latest, 'buyer')).toEqual({ identity_id: old, method: 'name', score: 0.9 });
    const identifier = { scheme: 'GB-PPON', id: 'PLMN-2468-PQRS' };
    await win(supplier, ministry('GB-PPON-PLMN-2468-PQRS', { identifier, name: 'The Ministry of Weather' }));
    for (const alias of [old, 'gb-fts-901', 'gb-fts-977', 'gb-ppon-plmn-2468-pqrs'])
      expect(await leads('buyer', alias)).toBe('GB-PPON-PLMN-2468-PQRS');
    const buyers = await catalogue.read({
      sql: "SELECT id, contract_count FROM buyer WHERE name LIKE '%Weather' AND gone = 0",
    });
    expect(buyers).toEqual([{ id: 'GB-PPON-PLMN-2468-PQRS', contract_count: 78 }]);
  });
});
