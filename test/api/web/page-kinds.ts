import { IDS } from './seed.ts';
import { signCursor } from './site.ts';

/** Every kind of page that anybody may see, once, with all that it can hold; the last ones are answered with an error. */
export const KINDS = [
  '/',
  '/search?query=bridge',
  '/tenders?query=bridge&region=London',
  '/tenders?query=nothing',
  '/notices?query=bridge&facets=1',
  `/notices/${IDS.tender}`,
  '/contracts?query=bridge&facets=1',
  '/renewals?query=bridge&months=6',
  `/contracts/${IDS.contract}`,
  '/companies',
  '/companies?status=active&won=true&sme=true',
  '/companies?name=harrow',
  `/companies/${IDS.company}`,
  `/buyers/${IDS.buyer}`,
  '/categories',
  '/categories/45?region=UKI',
  '/frameworks',
  `/frameworks/${IDS.framework}`,
  '/status',
  '/docs',
  '/docs/agents',
  '/docs/bulk_export',
  '/docs/errors',
  '/docs/notice-types',
  '/docs/webhooks',
  '/docs/webhooks/python',
  '/docs?query=export',
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
  `/notices?query=${'long'.repeat(2_100)}`,
] as const;

/** Further addresses of these kinds, made of the same parts. */
const VARIANTS = [
  '/search?query=harrow',
  '/notices',
  '/notices?query=bridge',
  `/notices?cursor=${signCursor('the-next-page')}`,
  '/contracts',
  '/renewals',
  '/contracts?query=nothing&status=active',
  '/buyers',
  '/buyers?region=London&kind=local',
  '/buyers?query=nobody',
  '/buyers?kind=asleep',
  '/docs/search_tenders',
  '/docs/webhooks/typescript',
  '/docs/download_export',
  '/notices/%E0%A4%A',
] as const;

export const PUBLIC = [...KINDS, ...VARIANTS];

/** A kind as the title of its test: an address that is too long is cut. */
export const titled = (paths: readonly string[]) => paths.map((path) => [path.slice(0, 60), path] as const);

/** Pages of somebody who is signed in. */
export const PERSONAL = [
  '/dashboard',
  '/dashboard/usage',
  '/dashboard/exports',
  '/dashboard/exports/new?dataset=tenders',
  '/dashboard/watches',
  '/dashboard/watches/new?on=contracts&query=bridge&region=London',
  '/dashboard/ledger',
  '/dashboard/billing',
  '/dashboard/settings',
  '/dashboard/settings/delete',
] as const;
