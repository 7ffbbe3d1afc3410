/**
 * How long tests may take, in milliseconds: many times what a machine with other work needs, so that only what hangs runs
 * into one. They are set here and nowhere else.
 */
export const LIMITS_MS = {
  /** A test or a hook. The default of both. */
  usual: 300_000,
  /** A test of whole collections, hundreds of queries, or processes that are killed one after the other. */
  long: 900_000,
  /** One thing that is waited for within a test. */
  wait: 60_000,
};
