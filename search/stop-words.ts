/** Words that say nothing of a notice ("it" is none: it is technology). Left out of a query while any other word remains. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by for from has in into is its of on or s that the their this to t was were will with'.split(
    ' ',
  ),
);
