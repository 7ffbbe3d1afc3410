/** Providers that ignore certain characters in an address, and the one name used here for each. */
const LOOSE: Record<string, { domain: string; ignored: RegExp }> = {
  'gmail.com': { domain: 'gmail.com', ignored: /\./g },
  'googlemail.com': { domain: 'gmail.com', ignored: /\./g },
  'proton.me': { domain: 'proton.me', ignored: /[._-]/g },
  'protonmail.com': { domain: 'proton.me', ignored: /[._-]/g },
  'pm.me': { domain: 'proton.me', ignored: /[._-]/g },
};

/** The normal form of an e-mail address: without case, `+tag`, and the dots that known providers ignore. */
export function oneAddress(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at < 1) return lower;
  const domain = lower.slice(at + 1);
  const plus = lower.indexOf('+');
  // A tag without a name before it is the name.
  const local = lower.slice(0, plus > 0 && plus < at ? plus : at);
  const loose = Object.hasOwn(LOOSE, domain) ? LOOSE[domain] : undefined;
  const plain = loose ? local.replaceAll(loose.ignored, '') : local;
  return `${plain || local}@${loose?.domain ?? domain}`;
}

/** The domain of an address in its normal form. */
export const domainOf = (email: string): string => oneAddress(email).split('@').at(-1) ?? '';
