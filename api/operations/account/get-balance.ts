import { z } from 'zod';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { defineOperation } from '../../contract/operation.ts';

export const getBalance = defineOperation({
  name: 'get_balance',
  title: 'Credit balance',
  description: "Use this to see how many credits the API key's account has left.",
  credits: 0,
  input: z.strictObject({}),
  output: z.object({ balance: z.int().describe('Credits left') }),
  bindings: [
    {
      method: 'GET',
      path: '/balance',
      operationId: 'get_balance',
      summary: 'Credits left on the account',
      description: 'Answers the credits that are left in the account of the API key.',
      inputs: [],
      example: {},
    },
  ],
  example: {},
  async run(_input, { accounts }, { accountId }) {
    const balance = (await readBalance(accounts, accountId)) ?? 0;
    return { kind: 'answer', body: { balance }, creditsRemaining: balance };
  },
});
