import type { Settings } from '../../schema/config/settings.ts';

/** Where a customer buys credits, or learns how to ask for them. */
export function topUpUrl(settings: Pick<Settings, 'APP_URL'>): string {
  return `${settings.APP_URL}/dashboard/top-up`;
}
