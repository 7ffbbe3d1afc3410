import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookupContract } from '../../../../api/operations/contracts/lookup.ts';
import { lookupFramework } from '../../../../api/operations/frameworks/lookup.ts';
import { storePage } from '../../../../ingest/store/page.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import { actRelease, BRIGHT, COUNCIL, noticeDocument, packageOf, read, reference } from '../../compile/releases.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
});
afterAll(() => room.close());

async function publish(id: string, ocid: string, more: JsonObject): Promise<void> {
  const page = read(packageOf([actRelease(id, `2026-${id.slice(2, 4)}-01T09:00:00Z`, { ocid, ...more })]));
  const stored = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', before: [], after: [] };
  await storePage(room.services.catalogue, { ...page, ...stored });
}

const FRAMEWORK = 'ocds-h6vhtk-00b001';
const techniques = { hasFrameworkAgreement: true };

/** A call-off published as this notice, and the framework that its contract is linked to. */
async function callOff(id: string, tender: JsonObject, more: JsonObject = {}) {
  await publish(id, `ocds-h6vhtk-${id.slice(0, 6)}`, {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    tender: { title: 'Windows', procurementMethodDetails: 'Award under framework', ...tender },
    awards: [
      {
        id: '1',
        status: 'active',
        suppliers: [reference(BRIGHT)],
        value: { amount: 900, currency: 'GBP' },
        documents: [noticeDocument(id, 'UK6')],
      },
    ],
    ...more,
  });
  return linkOf(id);
}

async function linkOf(id: string) {
  const { framework_id, framework_link } = (await ask(room, lookupContract, { notice_id: id })).body;
  return { framework_id, framework_link };
}

describe('a call-off that names its framework by the number of a notice', () => {
  const linked = (name: string) => ({
    framework_id: FRAMEWORK,
    framework_link: { method: 'reference', evidence: [name] },
  });

  it('is linked when that notice comes, also a later one of the framework', async () => {
    const none = (name: string) => ({
      framework_id: undefined,
      framework_link: {
        method: 'none',
        evidence: expect.arrayContaining([`names ${name}: no framework of that name is held`]),
      },
    });
    const first = { description: 'Awarded against the Cleaning Framework 2026/S 000-000301.' };
    const later = { procurementMethodRationale: 'Framework notice: find-tender.service.gov.uk/Notice/000401-2026' };
    expect(await callOff('000901-2026', first)).toEqual(none('000301-2026'));
    expect(await callOff('000902-2026', later)).toEqual(none('000401-2026'));
    await publish('000301-2026', FRAMEWORK, { tender: { title: 'Cleaning services', techniques } });
    expect(await linkOf('000901-2026')).toEqual(linked('000301-2026'));
    expect(await linkOf('000902-2026')).toEqual(none('000401-2026'));
    await publish('000401-2026', FRAMEWORK, { tender: { title: 'Cleaning services', techniques } });
    expect(await linkOf('000902-2026')).toEqual(linked('000401-2026'));
  });

  it('is linked by its ocid in a text, and by a number in place of an ocid', async () => {
    expect(await callOff('000903-2026', { description: `OCID (Open Contracting ID) Ref: ${FRAMEWORK}.` })).toEqual(
      linked(FRAMEWORK),
    );
    const relatedProcesses = [{ id: '1', relationship: ['framework'], scheme: 'ocid', identifier: '000301-2026' }];
    expect(await callOff('000904-2026', {}, { relatedProcesses })).toEqual({
      framework_id: FRAMEWORK,
      framework_link: { method: 'identifier', evidence: ['000301-2026'] },
    });
    expect((await ask(room, lookupFramework, { framework_id: FRAMEWORK })).body.call_off_count).toBe(4);
  });

  it('is linked to none by the number of another purchase, or of two frameworks', async () => {
    const other = await callOff('000905-2026', { description: 'First advertised as 2026/S 000-000901.' });
    expect(other.framework_id).toBeUndefined();
    await publish('000501-2026', 'ocds-h6vhtk-00b002', { tender: { title: 'Floor services', techniques } });
    const two = await callOff('000906-2026', { description: 'Under 2026/S 000-000301 or 2026/S 000-000501.' });
    expect(two.framework_id).toBeUndefined();
  });

  it('is linked to none by what its texts say of purchases before it, or of a framework that was not used', async () => {
    const texts = [
      'It replaces the contract let under 2026/S 000-000301.',
      'The previous framework (2026/S 000-000301) was closed',
      'Previously advertised under notice 2026/S 000-000301',
      'It was bought openly instead of under framework 2026/S 000-000301',
    ];
    for (const [at, description] of texts.entries())
      expect((await callOff(`00091${at}-2026`, { description })).framework_id).toBeUndefined();
    const procurementMethodRationale = 'Framework RM6187 does not allow call-offs of this length.';
    const { framework_link } = await callOff('000920-2026', { procurementMethodRationale });
    expect(framework_link?.evidence.join()).not.toContain('RM6187');
  });

  it('is linked by a number in markup, and next to words on what is replaced', async () => {
    const description = '<p>It replaces RM1, and is under <b>2026/S&nbsp;000-000301</b>.</p>';
    expect((await callOff('000921-2026', { description })).framework_id).toBe(FRAMEWORK);
    const works = 'Replacing boilers at the former school under 2026/S 000-000301';
    expect((await callOff('000922-2026', { description: works })).framework_id).toBe(FRAMEWORK);
  });
});
