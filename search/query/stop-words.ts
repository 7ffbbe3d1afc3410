/**
 * Words that only join or point and say nothing of a notice ("it" is none: it is technology; nor is "will", which is a
 * testament). Left out of a query while any other word remains.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by for from had has have if in into is its of on or our than that the their these they this
  those to was we were which with you your`.split(/\s+/),
);

/** Words before which "it" in small letters is technology: "it support". */
export const OF_TECHNOLOGY =
  'support|services|systems?|equipment|hardware|software|infrastructure|networks?|solutions?|security|consultancy|department|helpdesk|managed';
