import type { ValueClass } from '../../schema/catalogue/details.ts';
import type { EndsBasis } from '../../schema/catalogue/enums.ts';
import type { CompiledContract } from '../compile/types.ts';
import { partyKey, type ResolvedParty } from '../identity/resolve.ts';
import type { ResolvedProcess } from '../store/process-rows.ts';
import { copiesOfContract, type OnTwoServices } from './two-services.ts';
import type { ExplainedContract, ExplainedParty } from './types.ts';

const CLASS_WHY: Readonly<Record<ValueClass, string>> = {
  sum: 'a stated value that nobody shares: counted in totals',
  shared: 'several suppliers share it: shown apart, never summed',
  framework_ceiling: 'the process sets up a framework: a ceiling, never summed',
  estimate: 'only estimated: shown apart, never summed',
  absurd: 'not plausible: warned of, never summed',
  unstated: 'nobody stated a value',
};

/** How the fields of a contract were decided. */
export function describeContract(
  contract: CompiledContract,
  resolved: ResolvedProcess,
  onTwo: OnTwoServices,
): ExplainedContract {
  const { process, parties } = resolved;
  const chosen = contract.valueCandidates.find(({ money }) => money !== null);
  const spoken = new Set(contract.detail.notice_ids);
  const { value, currency, valueBasis, valueClass, awarded, signed, starts, ends } = contract;
  return {
    contract_id: contract.id,
    award_id: contract.awardId,
    also_published_as: contract.awardIds.slice(1),
    counted_as: [...(onTwo.countedAs.get(contract.id) ?? [])],
    also_on: copiesOfContract(contract.id, onTwo),
    signed_ids: contract.signedIds,
    notices: process.notices
      .filter(({ noticeId }) => spoken.has(noticeId))
      .map(({ noticeId, noticeType, published }) => ({ notice_id: noticeId, notice_type: noticeType, published })),
    title: contract.title,
    status: contract.status,
    value: {
      amount: value,
      currency,
      basis: valueBasis,
      class: valueClass,
      class_why: CLASS_WHY[valueClass],
      candidates: contract.valueCandidates.map((one) => ({
        from: one.from,
        amount: one.money?.value ?? null,
        currency: one.money?.currency ?? null,
        chosen: one === chosen,
      })),
    },
    suppliers: contract.supplierParties.flatMap((partyId) => {
      const found = parties.get(partyKey('supplier', partyId));
      const naming = process.notices.filter(({ supplierParties }) => supplierParties.includes(partyId));
      return found ? [{ ...describeParty(partyId, found), notice_ids: naming.map(({ noticeId }) => noticeId) }] : [];
    }),
    dates: { awarded, signed, starts, ends, ends_latest: contract.endsLatest },
    ...describeFacts(contract),
    lots: contract.lotIds,
    warnings: contract.detail.warnings,
  };
}

const ENDS_FROM: Readonly<Record<EndsBasis, string>> = {
  termination: 'a termination notice',
  change: 'the newest change notice that states its period',
  contract: 'period of the signed contract',
  award: 'contractPeriod of the award',
  lot: 'contractPeriod of its lots, the last of them',
  tender: 'contractPeriod of the tender',
  duration: 'its start and a published length',
};

function describeFacts({ endsBasis, endsLatest, procedure, detail, why }: CompiledContract) {
  const { ends_latest_basis: basis, justification } = detail;
  const words = why.endsLatest ? `: "${why.endsLatest}"` : '';
  const latest = basis === 'stated' ? 'maxExtentDate' : `${basis} in words, worked out from the end first signed for`;
  return {
    ends_from: endsBasis && ENDS_FROM[endsBasis],
    ends_latest_from: endsLatest && `${latest}${words}`,
    procedure: {
      code: procedure,
      published: detail.procedure ?? null,
      justification: [...(justification?.grounds ?? []), ...(justification?.text ? [justification.text] : [])],
    },
    bids: detail.bids ? { ...detail.bids, from: why.bids } : null,
  };
}

/** A party, and the identity it was tied to. */
export function describeParty(partyId: string, { party, identityId, match }: ResolvedParty): ExplainedParty {
  return { party_id: partyId, name: party.sighting.name, identity: identityId, match };
}
