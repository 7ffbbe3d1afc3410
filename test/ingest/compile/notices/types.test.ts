import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../../ingest/compile/ocid.ts';
import { STAGE_OF_NOTICE_TYPE, STAGE_OF_TAG } from '../../../../schema/reference/notice-types.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { haveRecordings, readKnownRecordings } from '../../../upstream/recordings/known.ts';
import {
  actRelease,
  BRIGHT,
  COUNCIL,
  compileOne,
  noticeDocument,
  packageOf,
  read,
  reference,
  stored,
} from '../releases.ts';

const ID = '012345-2026';
const DATE = '2026-03-01T10:00:00Z';
const award = (more: JsonObject = {}) => ({ id: '1', status: 'active', suppliers: [reference(BRIGHT)], ...more });
const contract = (more: JsonObject = {}) => ({ id: '1', awardID: '1', status: 'active', ...more });
const parties = [COUNCIL, BRIGHT];
const document = (type: string, kind?: string) => [noticeDocument(ID, type, kind)];

/** One release of each notice type, with the document in the branch where that type carries it. */
const SHAPES: Record<string, JsonObject> = {
  UK1: { tag: ['planning'], planning: { documents: document('UK1', 'plannedProcurementNotice') } },
  UK2: { tag: ['planning'], planning: { documents: document('UK2', 'marketEngagementNotice') } },
  UK3: { tag: ['planningUpdate'], planning: { documents: document('UK3', 'plannedProcurementNotice') } },
  UK4: { tag: ['tender'], tender: { status: 'active', documents: document('UK4', 'tenderNotice') } },
  UK5: { tag: ['award', 'contract'], parties, awards: [award({ documents: document('UK5') })] },
  UK6: { tag: ['award', 'contract'], parties, awards: [award({ documents: document('UK6') })] },
  UK7: {
    tag: ['award', 'contract'],
    parties,
    awards: [award()],
    contracts: [contract({ documents: document('UK7', 'contractNotice') })],
  },
  UK8: { tag: ['implementation'], contracts: [contract({ documents: document('UK8', 'implementationNotice') })] },
  UK9: { tag: ['implementation'], contracts: [contract({ documents: document('UK9', 'implementationNotice') })] },
  UK10: { tag: ['contractAmendment'], contracts: [contract({ documents: document('UK10', 'contractNotice') })] },
  UK11: {
    tag: ['contractTermination'],
    contracts: [contract({ status: 'terminated', documents: document('UK11', 'contractTerminationNotice') })],
  },
  UK12: {
    tag: ['tenderCancellation'],
    tender: { status: 'cancelled', documents: document('UK12', 'tenderCancellationNotice') },
  },
  UK13: { tag: ['planning'], planning: { documents: document('UK13', 'plannedProcurementNotice') } },
  UK14: { tag: ['award', 'contract'], tender: { documents: document('UK14') } },
  UK15: { tag: ['award', 'contract'], tender: { documents: document('UK15') } },
  UK16: { tag: ['award', 'contract'], tender: { documents: document('UK16') } },
  UK17: { tag: ['implementation'], planning: { documents: document('UK17', 'implementationNotice') } },
};

describe('notice types of the Procurement Act', () => {
  it('are all mapped', () => {
    expect(Object.keys(SHAPES)).toEqual(Object.keys(STAGE_OF_NOTICE_TYPE));
  });

  it.each(Object.entries(SHAPES))('%s is recognised by its document, wherever that is', (type, shape) => {
    const process = compileOne([actRelease(ID, DATE, shape)]);
    expect(process.notices).toHaveLength(1);
    expect(process.notices[0]).toMatchObject({ noticeType: type, stage: STAGE_OF_NOTICE_TYPE[type] });
    expect(process.documents[0]?.url).toBe(`https://www.find-tender.service.gov.uk/Notice/${ID}`);
    expect(read(packageOf([actRelease(ID, DATE, shape)])).unknown).toEqual([]);
  });

  it.each(Object.entries(STAGE_OF_TAG).filter(([tag]) => tag !== 'compiled'))(
    'the tag %s of an old notice means %s',
    (tag, stage) => {
      const [notice] = compileOne([actRelease(ID, DATE, { tag: [tag] })]).notices;
      expect(notice).toMatchObject({ noticeType: tag, stage });
    },
  );

  it('take award+contract of the old regime for an award', () => {
    const [notice] = compileOne([actRelease(ID, DATE, { tag: ['award', 'contract'], awards: [award()] })]).notices;
    expect(notice).toMatchObject({ noticeType: 'award', stage: 'award' });
  });

  it('is that of its own document, also where those of earlier notices are listed before it', () => {
    const earlier = noticeDocument('012000-2026', 'UK4', 'tenderNotice');
    const release = actRelease(ID, DATE, { ...SHAPES.UK7, tender: { status: 'complete', documents: [earlier] } });
    const [notice] = compileOne([release]).notices;
    expect(notice).toMatchObject({ noticeType: 'UK7', stage: 'contract', isTender: false });
  });

  it('count an unknown one and let its tag say the stage', () => {
    const release = actRelease(ID, DATE, { tag: ['tender'], tender: { documents: document('UK99') } });
    expect(read(packageOf([release])).unknown).toEqual([{ field: 'documents.noticeType', value: 'UK99' }]);
    expect(compileOne([release]).notices[0]).toMatchObject({
      noticeType: 'UK99',
      stage: 'tender',
      detail: { warnings: ['the notice type UK99 is not known: its stage is that of its tag or content'] },
    });
  });
});

const present = haveRecordings('notice types as recorded');

describe.skipIf(!present)('on the genuine recordings', () => {
  it('each type and tag that is there has its stage; the others are named', async () => {
    const { findATender, contractsFinder } = await readKnownRecordings();
    const stages = new Map<string, Set<string>>();
    const compile = (source: string, releases: Iterable<{ release: JsonObject }>) => {
      for (const { release } of releases)
        for (const one of stored([release], source))
          for (const { noticeType, stage } of compileOcid(one.ocid, [one]).flatMap(({ notices }) => notices))
            stages.set(noticeType, (stages.get(noticeType) ?? new Set()).add(stage));
    };
    compile('find_a_tender', findATender);
    compile('contracts_finder', contractsFinder);
    const known: Record<string, string> = { ...STAGE_OF_NOTICE_TYPE, ...STAGE_OF_TAG };
    const found = [...stages].toSorted();
    expect(found.map(([type, seen]) => [type, [...seen]])).toEqual(found.map(([type]) => [type, [known[type]]]));
    expect([...stages.keys()]).toEqual(
      expect.arrayContaining(['UK1', 'UK2', 'UK4', 'UK5', 'UK6', 'UK7', 'UK10', 'UK12', 'UK15']),
    );
    const absent = Object.keys(known).filter((type) => !stages.has(type));
    console.warn(`SKIPPED, as no recording holds one (tested on releases of our own writing): ${absent.join(', ')}`);
  });
});

describe('a code of several words in other letters', () => {
  const DUE = { tenderPeriod: { endDate: '2026-03-30T12:00:00+01:00' } };
  const compile = (tag: string, tender: JsonObject = {}) =>
    JSON.parse(JSON.stringify(compileOne([actRelease(ID, DATE, { tag: [tag], tender: { ...DUE, ...tender } })])));

  it.each(['tendercancellation', 'TENDERCANCELLATION', 'tender_cancellation', 'Tender Cancellation'])(
    'is the tag that it spells: %s',
    (tag) => {
      expect(compile(tag)).toEqual(compile('tenderCancellation'));
      expect(compile(tag).status).toBe('cancelled');
      expect(read(packageOf([actRelease(ID, DATE, { tag: [tag] })])).unknown).toEqual([]);
    },
  );

  it.each(['notallowed', 'NOT_ALLOWED', 'not allowed'])('is the policy that it spells: %s', (variantPolicy) => {
    const { notices } = compile('tender', {
      submissionTerms: { variantPolicy },
      submissionMethod: ['ELECTRONICSUBMISSION'],
    });
    expect(notices[0].detail).toMatchObject({
      variants: 'not_allowed',
      how_to_apply: { method: 'electronicSubmission' },
    });
  });

  it('is none where it only resembles one', () => {
    expect(compile('tendercancellations').status).not.toBe('cancelled');
  });
});
