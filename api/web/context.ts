import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Cashier } from '../billing/cashier.ts';
import type { Services } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import type { AssetPaths } from './assets.ts';
import type { Auth } from './auth/open.ts';
import type { Page } from './components/layout.tsx';
import type { SourceTitles } from './components/source-title.ts';

/** The services that pages use. */
export interface Web {
  services: Services;
  /** The API's services, for calls made from the dashboard. */
  context: Context;
  assets: AssetPaths;
  /** Sign-ups, sessions and passwords; loaded on first use. */
  auth(): Promise<Auth>;
  /** Null if card payments are off. */
  cashier: Cashier | null;
  log: Logger;
  /** The titles of the services that publish notices, by the id of the source. */
  readTitles(): Promise<SourceTitles>;
  /** Renders a page into the layout and sends it. */
  send(response: Response, page: Page, status?: number): Promise<void>;
}
