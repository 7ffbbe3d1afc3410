import { expect, it } from 'vitest';
import { makeTreatment } from '../../../ingest/takedown/treatment.ts';
import { sha256 } from '../../../schema/text/json-values.ts';
import { readPublished } from '../parse/read-published.ts';
import { AS_OF, makeNotice } from '../small-world.ts';

it('a notice that is known by the digest of its long id stays out with another body too', () => {
  const id = `ocds-b5fd17-${'ventilator-'.repeat(11)}1`;
  const target = { noticeId: sha256(id).slice(0, 32) };
  const treatment = makeTreatment([{ id: 'tk_1', kind: 'notice', target, reason: 'r', takenAt: '', takenBy: '' }]);
  const { release } = makeNotice(1, AS_OF, { id, planning: undefined, tender: { id: 'x', title: 'Gravel' } });
  const [own] = readPublished('contracts_finder', [release]).releases;
  expect(own && treatment.release(own)).toMatchObject({ releaseId: id, body: '' });
  const [other] = readPublished('contracts_finder', [{ ...release, id: `${id}2` }]).releases;
  expect(other && treatment.release(other)).toEqual(other);
});
