import { expect, it } from 'vitest';
import { mentionsOfNotice } from '../../../ingest/takedown/mentions.ts';
import { makeTreatment } from '../../../ingest/takedown/treatment.ts';
import { sha256 } from '../../../schema/text/json-values.ts';
import { readPublished } from '../parse/read-published.ts';
import { AS_OF, makeNotice } from '../small-world.ts';

const id = `ocds-b5fd17-${'ventilator-'.repeat(11)}1`;
const target = { noticeId: sha256(id).slice(0, 32) };
const treatment = makeTreatment([{ id: 'tk_1', kind: 'notice', target, reason: 'r', takenAt: '', takenBy: '' }]);

it('a notice that is known by the digest of its long id stays out with another body too', () => {
  const { release } = makeNotice(1, AS_OF, { id, planning: undefined, tender: { id: 'x', title: 'Gravel' } });
  const [own] = readPublished('contracts_finder', [release]).releases;
  expect(own && treatment.release(own)).toMatchObject({ releaseId: id, body: '' });
  const [other] = readPublished('contracts_finder', [{ ...release, id: `${id}2` }]).releases;
  expect(other && treatment.release(other)).toEqual(other);
});

it('its bytes in quarantine go, and do not come back', () => {
  const record = { kind: 'release' as const, reason: 'broken', url: '', bytes: Buffer.from(`{"id": "${id}"`) };
  const { quarantined } = mentionsOfNotice(target.noticeId);
  for (const [recordId, isOwn] of [[id, true] as const, [`${id}2`, false] as const]) {
    expect(treatment.quarantined({ ...record, recordId }).isTakenDown ?? false).toBe(isOwn);
    expect(quarantined(record.bytes.toString(), recordId)).toBe(isOwn);
  }
});
