import { REVENUE } from '../../schema/accounts/ledger/transfers.ts';
import type { Statement } from '../../schema/db/interface.ts';

interface Together {
  account: string;
  /** Of each. */
  credits: number;
  action: string;
  keyId: string;
  at: string;
  /** The charge and request id of each. */
  charges: readonly (readonly [chargeId: string, requestId: string])[];
}

/** Charges in one row of the ledger, as metering writes those that it commits together. */
export function chargeTogether({ account, credits, action, keyId, at, charges }: Together): Statement {
  const [[first = '', request = ''] = []] = charges;
  const isOne = charges.length === 1;
  const names = [isOne ? request : null, isOne ? null : JSON.stringify(charges)];
  return {
    sql: `INSERT INTO transfer (id, key, kind, from_account, to_account, credits, action, key_id, created_at, request_id, charges, lines)
          SELECT seq + ?1, ?2, 'charge', ?3, '${REVENUE}', ?1 * ?4, ?5, ?6, ?7, ?8, ?9, ?1 FROM sqlite_sequence WHERE name = 'transfer'`,
    args: [charges.length, `charge:${first}`, account, credits, action, keyId, at, ...names],
  };
}
