import type { OcdsRelease } from '../../../schema/ocds/types.ts';
import { cleanLine } from '../../fields/text/clean.ts';
import type { CallOff } from '../types.ts';
import { governedBy, mentionsIn } from './words.ts';

/** `RM3764`, also written `RM 3764` or `RM3764iii`: references of the government's commercial agency. */
const REFERENCE = /\bRM\s?(\d{3,5})(?=\D|$)/gi;
const METHOD =
  /^(award under framework|below threshold\s*[-–]\s*award under framework|using pre-procurement act commercial tool|call[- ]?off from)/i;
const FURTHER = /\b(further|mini)[- ]?competition\b|\bfrom (a )?framework\b/i;
const TITLE =
  /\b(call[- ]?offs?(?! (?:contracts? )?framework)|(further|mini)[- ]competition|direct award (under|from|via))\b/i;

/** References in a text, each once, in capitals without a space. */
export function referencesIn(...texts: (string | undefined)[]): string[] {
  const found = texts.flatMap((text) => [...(text ?? '').matchAll(REFERENCE)].map((match) => `RM${match[1]}`));
  return [...new Set(found)];
}

/**
 * Whether a process was called off from a framework or dynamic market, by what sign, and which one it names.
 * @param methods the procurement method of each release, oldest first: an award notice may say "Other" of what its tender
 * notice called a call-off
 * @param buysUnder words of title or description that say so
 */
export function callOffOf(
  merged: OcdsRelease,
  methods: readonly (string | undefined)[],
  buysUnder: readonly string[],
): CallOff | null {
  const told = methods.map(cleanLine).filter(isCallOff);
  const method = told.at(-1) ?? '';
  const related = merged.relatedProcesses.filter(({ relationship }) =>
    relationship.some((code) => /^framework$/i.test(code)),
  );
  const title = cleanLine(merged.tender.title ?? merged.title);
  const evidence = [
    ...(method ? [`procurement method: ${method}`] : []),
    ...related.map((one) => `related process: ${one.identifier ?? cleanLine(one.title)}`),
    ...(TITLE.test(title) ? ['title speaks of a call-off'] : []),
    ...buysUnder,
  ];
  if (evidence.length === 0) return null;
  const identifiers = related.flatMap(({ scheme, identifier }) =>
    identifier && (scheme === undefined || /ocid/i.test(scheme)) ? [identifier.toLowerCase()] : [],
  );
  const relatedTitles = related.map((one) => one.title);
  const references = referencesIn(method, ...relatedTitles, title, merged.tender.description, merged.tender.id);
  return { evidence, identifiers: [...new Set(identifiers)], references, isByProcedure: method !== '' };
}

function isCallOff(method: string): boolean {
  return METHOD.test(method) || FURTHER.test(method) || mentionsIn(method).some((one) => governedBy(one) !== null);
}
