import type { Stage } from '../../../schema/catalogue/details.ts';
import type { OcdsRelease } from '../../../schema/ocds/types.ts';
import { documentsOf } from '../../fields/notice-id.ts';
import { leadingTag, STAGE_OF_NOTICE_TYPE, STAGE_OF_TAG } from '../../fields/stages.ts';

export interface NoticeKind {
  noticeType: string;
  stage: Stage;
  /** What it was read from. */
  why: string;
}

/**
 * A release's notice type and stage: its document's `noticeType`, else its tag. Contracts Finder tagged everything
 * "tender" until 2021, awards included, so that one with awards is an award. A type nobody has mapped keeps its
 * name and takes the stage of its tag; the page's reader has counted it.
 */
export function kindOf(ocds: OcdsRelease): NoticeKind {
  const noticeType = documentsOf(ocds).find((document) => document.noticeType)?.noticeType;
  const tag = leadingTag(ocds.tag);
  const byTag = tag === 'tender' && ocds.awards.length > 0 ? 'award' : tag;
  const stage = STAGE_OF_NOTICE_TYPE[noticeType ?? ''] ?? STAGE_OF_TAG[byTag ?? ''] ?? stageOfContent(ocds);
  return { noticeType: noticeType ?? byTag ?? ocds.tag[0] ?? 'unknown', stage, why: whyOf(ocds, noticeType, byTag) };
}

/** Said of a notice whose type nobody has mapped: it is counted, and never taken for another. */
export function warnOfUnknownKind({ noticeType }: NoticeKind): string[] {
  if (noticeType in STAGE_OF_NOTICE_TYPE || noticeType in STAGE_OF_TAG) return [];
  return [`the notice type ${noticeType.slice(0, 40)} is not known: its stage is that of its tag or content`];
}

function whyOf(ocds: OcdsRelease, noticeType: string | undefined, byTag: string | null): string {
  const tags = `tag ${ocds.tag.join('+') || 'none'}`;
  if (noticeType)
    return noticeType in STAGE_OF_NOTICE_TYPE ? 'noticeType of a document' : `unknown noticeType; ${tags}`;
  const award = byTag === 'award' && ocds.tag.every((tag) => tag === 'tender') ? ', but it has awards' : '';
  return byTag ? `no noticeType; ${tags}${award}` : `no noticeType; ${tags}; what it contains`;
}

/** The furthest section that is filled: only for releases without any known tag, such as a lone compiled release. */
function stageOfContent(ocds: OcdsRelease): Stage {
  if (ocds.contracts.length > 0) return 'contract';
  if (ocds.awards.length > 0) return 'award';
  return ocds.tender.tenderPeriod ? 'tender' : 'planning';
}
