/** The register first, so that suppliers are matched against it; and again, for the profiles of those that were named. */
export const STEPS = [
  'companies_house',
  'find_a_tender',
  'contracts_finder',
  'public_contracts_scotland',
  'sell2wales',
  'rewalk find_a_tender',
  'rewalk contracts_finder',
  'companies_house',
];

/** `find_a_tender` is the source's turn, `rewalk find_a_tender` the walk over its last days once more. */
export function readStep(step: string): { source: string; job?: 'rewalk' } {
  const source = step.replace(/^rewalk /, '');
  return source === step ? { source } : { source, job: 'rewalk' };
}
