import type { Database } from '../../../schema/db/interface.ts';
import { type CatchingUp, makeCatchingUp } from '../catching-up.ts';
import { markSuppliers, type Register } from './companies.ts';
import { loadRegister, saveRegister } from './file.ts';
import { followRegister, type RegisterFollower } from './follow.ts';

/** Changed rows after which the columns are worth storing again. */
const SAVE_ROWS = 50_000;

/** The columns of a catalogue's register in this process. */
export interface RegisterState extends CatchingUp {
  /** The register without the companies that suppliers have. @param suppliers the same list until something changes */
  without(suppliers: readonly { company_number: string | null }[]): Register;
}

const known = new WeakMap<Database, RegisterState>();

/**
 * The register of a catalogue. Read when first needed, from a folder's file as far as that reaches. @param onChange receives the
 * numbers of every page that is read
 */
export function registerOf(
  catalogue: Database,
  folder: string | undefined,
  onChange: (numbers: readonly string[]) => Promise<void>,
): RegisterState {
  const state = known.get(catalogue) ?? makeState(catalogue, folder, onChange);
  known.set(catalogue, state);
  return state;
}

function makeState(
  catalogue: Database,
  folder: string | undefined,
  onChange: (numbers: readonly string[]) => Promise<void>,
): RegisterState {
  let register: Register | undefined;
  let follower: RegisterFollower | undefined;
  let unsaved = 0;
  let marked: { of: readonly unknown[]; numbers: ReadonlySet<string> } = { of: [], numbers: new Set() };

  async function step(): Promise<boolean> {
    if (!register || !follower) {
      const loaded = await loadRegister(catalogue, folder);
      register = loaded.register;
      follower = followRegister(catalogue, register, loaded.reached);
    }
    const { numbers, isMore } = await follower.step();
    unsaved += numbers.length;
    if (numbers.length > 0) {
      await onChange(numbers);
      // New rows are not marked yet.
      marked = { ...marked, of: [] };
    }
    if (isMore || unsaved < SAVE_ROWS || folder === undefined) return isMore;
    // A list needs no file: where none can be written, the next start reads all again.
    await Promise.allSettled([saveRegister(catalogue, folder, register, follower.reached())]);
    unsaved = 0;
    return false;
  }

  return {
    ...makeCatchingUp(step),
    without(suppliers) {
      if (!register) throw new Error('the register is not read yet');
      if (marked.of === suppliers) return register;
      const numbers = new Set(suppliers.flatMap(({ company_number: number }) => number ?? []));
      const former = [...marked.numbers].filter((number) => !numbers.has(number));
      markSuppliers(register, former, false);
      markSuppliers(register, numbers, true);
      marked = { of: suppliers, numbers };
      return register;
    },
  };
}
