/** What an answer says of its price. */
export interface Credits {
  charged: number;
  remaining: number;
  chargeId?: string | undefined;
}

/** Adds the credit fields to the JSON text of an object: the same text and the same credits always make the same bytes. */
export function appendCredits(body: string, { charged, remaining, chargeId }: Credits): string {
  const head = body === '{}' ? '{' : `${body.slice(0, -1)},`;
  const charge = chargeId === undefined ? '' : `,"charge_id":${JSON.stringify(chargeId)}`;
  return `${head}"credits_charged":${charged},"credits_remaining":${remaining}${charge}}`;
}
