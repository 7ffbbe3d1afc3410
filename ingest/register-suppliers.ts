import { isoInstant } from '../schema/clocks.ts';
import type { RegisterRun } from './register-run.ts';
import { editionCursorStatement } from './register-store.ts';
import { rematchSuppliers } from './rematch.ts';
import { readCursor } from './run-rows.ts';

/**
 * Looks suppliers without a company number up in an edition, once for each. A cursor of its own says how far that went:
 * `2026-11-01` when through, `2026-11-01 <identity>` on the way. `again` does what was done already.
 */
export async function matchSuppliers(run: RegisterRun, edition: string, again: boolean): Promise<void> {
  const { tools, source, options } = run;
  const name = `${source.id}:suppliers`;
  const [date, ...position] = ((await readCursor(tools.catalogue, name)) ?? '').split(' ');
  if (date === edition && position.length === 0 && !again) return;
  const before = tools.fence ? [tools.fence] : [];
  const moveTo = (value: string) => editionCursorStatement(name, value, isoInstant(tools.clocks.catalogueNow()));
  const lookedUp = await rematchSuppliers(tools.catalogue, {
    from: date === edition ? position.join(' ') : '',
    before,
    moveTo: (identity) => moveTo(`${edition} ${identity}`),
    signal: options.signal,
  });
  await tools.catalogue.write([...before, moveTo(edition)]);
  tools.log.info({ source: source.id, edition, suppliers: lookedUp }, 'suppliers were looked up in the register');
}
