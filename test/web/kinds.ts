import { IDS } from './seed.ts';

/** One address at least of every kind of page that anybody may see; the last ones are answered with an error. */
export const PUBLIC = [
  '/',
  '/search?query=bridge',
  '/tenders?query=bridge&region=London',
  '/tenders?query=nothing',
  '/search?query=harrow',
  '/notices?query=bridge&facets=1',
  '/notices',
  '/notices?query=bridge',
  '/notices?cursor=the-next-page',
  `/notices/${IDS.tender}`,
  `/contracts/${IDS.contract}`,
  '/companies',
  '/companies?name=harrow',
  `/companies/${IDS.company}`,
  '/buyers',
  '/buyers?name=nobody',
  `/buyers/${IDS.buyer}`,
  '/frameworks',
  `/frameworks/${IDS.framework}`,
  '/status',
  '/docs',
  '/docs/agents',
  '/docs/search_tenders',
  '/docs/bulk_export',
  '/docs/errors',
  '/docs/try',
  '/pricing',
  '/privacy',
  '/removal',
  '/terms',
  '/deprecation',
  '/sign-in',
  '/sign-up',
  '/sign-up/sent',
  '/confirm',
  '/forgotten',
  '/reset',
  '/nowhere',
  '/notices/999999-2026',
  '/notices?value_min=cheap',
  '/notices/%E0%A4%A',
] as const;

/** Pages of somebody who is signed in. */
export const PERSONAL = [
  '/dashboard',
  '/dashboard/usage',
  '/dashboard/exports',
  '/dashboard/ledger',
  '/dashboard/billing',
  '/dashboard/settings',
  '/dashboard/settings/delete',
] as const;

/** Whether a page has words of the source in it: a title, a name, an address. */
export const DATA = PUBLIC.filter((path) =>
  /^\/(notices|tenders|contracts|companies|buyers|frameworks|search)/.test(path),
);
