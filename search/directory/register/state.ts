import type { Database } from '../../../schema/db/interface.ts';
import { type CatchingUp, makeCatchingUp } from '../catching-up.ts';
import type { Texts } from '../columns.ts';
import { markSuppliers, type Register } from './companies.ts';
import { loadRegister, saveRegister } from './file.ts';
import { followRegister, type Reached, type RegisterFollower } from './follow.ts';

/** Changed rows after which the columns are worth storing again. */
const SAVE_ROWS = 50_000;

/** The columns of a catalogue's register in this process. */
interface RegisterState extends CatchingUp {
  /** The register without the companies of suppliers. @param numbers theirs, the same object until something changes */
  without(numbers: Texts): Register;
}

const known = new WeakMap<Database, RegisterState>();

/**
 * The register of a catalogue. Read when first needed, from a folder's file as far as that reaches. @param onChange receives every page
 * that is read
 */
export function registerOf(
  catalogue: Database,
  folder: string | undefined,
  onChange: (rows: readonly Reached[]) => Promise<void>,
): RegisterState {
  const state = known.get(catalogue) ?? makeState(catalogue, folder, onChange);
  known.set(catalogue, state);
  return state;
}

function makeState(
  catalogue: Database,
  folder: string | undefined,
  onChange: (rows: readonly Reached[]) => Promise<void>,
): RegisterState {
  let register: Register | undefined;
  let follower: RegisterFollower | undefined;
  let unsaved = 0;
  /** The numbers of the suppliers that are marked. */
  let marked: Texts | undefined;

  async function step(): Promise<boolean> {
    if (!register || !follower) {
      const loaded = await loadRegister(catalogue, folder);
      register = loaded.register;
      follower = followRegister(catalogue, register, loaded.reached);
    }
    const { rows, isMore } = await follower.step();
    unsaved += rows.length;
    if (rows.length > 0) {
      await onChange(rows);
      // New rows are not marked yet.
      marked = undefined;
    }
    if (isMore || unsaved < SAVE_ROWS || folder === undefined) return isMore;
    // A list needs no file: where none can be written, the next start reads all again.
    await Promise.allSettled([saveRegister(catalogue, folder, register, follower.reached())]);
    unsaved = 0;
    return false;
  }

  return {
    ...makeCatchingUp(step),
    without(numbers) {
      if (!register) throw new Error('the register is not read yet');
      if (marked !== numbers) markSuppliers(register, numbers);
      marked = numbers;
      return register;
    },
  };
}
