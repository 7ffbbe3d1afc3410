/** One reason why a call is refused with 422. The transport adds where the input came from: `query`, `path`, `body` or `arguments`. */
export interface InputFault {
  /** The input's name, and what lies below it. */
  path: readonly (string | number)[];
  msg: string;
  /** As zod and pydantic name them: `missing`, `value_error`, `literal_error`, `extra_forbidden`… */
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** Inputs that parse one by one and yet cannot be answered. A 422, never billed. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
  readonly faults: readonly InputFault[];

  constructor(...faults: InputFault[]) {
    super(faults.map((fault) => `${fault.path.join('.')}: ${fault.msg}`).join('; '));
    this.faults = faults;
  }
}
