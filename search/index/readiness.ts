import type { SearchEngine } from '../engine.ts';

/** Whether searches are answered, and in words what is not as it should be. */
export interface SearchReadiness {
  answers: boolean;
  /** Empty where all is well. */
  said: string;
}

/** Asks the engine where it stands; where it does not answer, the one behind it. An index that was never filled answers nothing. */
export async function checkSearch(engine: SearchEngine): Promise<SearchReadiness> {
  const fault = await findFault(engine);
  if (fault === null) return { answers: true, said: '' };
  if (!engine.fallback) return { answers: false, said: `search: ${fault}` };
  const behind = await findFault(engine.fallback);
  return behind === null
    ? { answers: true, said: `search: failing over to ${engine.fallback.name} (${fault})` }
    : { answers: false, said: `search: ${fault}; behind it: ${behind}` };
}

async function findFault(engine: SearchEngine): Promise<string | null> {
  try {
    return (await engine.readCursor()) ? null : `${engine.name} has no index of this version yet`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
