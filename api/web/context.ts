import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Cashier } from '../billing/cashier.ts';
import type { Services } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import type { AssetPaths } from './assets.ts';
import type { Auth } from './auth/open.ts';
import type { Page } from './components/layout.tsx';

/** What every page is made from. */
export interface Web {
  services: Services;
  /** What the API answers with, for the calls that somebody makes from the dashboard. */
  context: Context;
  assets: AssetPaths;
  auth: Auth;
  /** Null where cards are not taken. */
  cashier: Cashier | null;
  log: Logger;
  /** Renders a page into the layout and sends it. */
  send(response: Response, page: Page, status?: number): Promise<void>;
}
