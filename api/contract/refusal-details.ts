/** One entry of a 422 body, in the form that pydantic made common. */
export interface Detail {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** MCP sends a body twice, the second time with its quotes escaped: three times these are still less than 16 kB. */
const DETAILS_BYTES = 5_000;
const LOC_CHARS = 100;
const MSG_CHARS = 1_500;
const INPUT_CHARS = 200;
/** Half of a pair of surrogates, at a cut. */
const HALF = /[\ud800-\udbff]$/;

/** Details as they may leave: what a caller sent is repeated in part, and the last entry counts those that are left out. */
export function boundDetails(details: readonly Detail[]): Detail[] {
  const kept: Detail[] = [];
  let bytes = 0;
  for (const detail of details) {
    const short = shortenDetail(detail);
    bytes += Buffer.byteLength(JSON.stringify(short));
    if (bytes > DETAILS_BYTES && kept.length > 0) break;
    kept.push(short);
  }
  const more = details.length - kept.length;
  if (more === 0) return kept;
  const loc = details[kept.length]?.loc.slice(0, 1) ?? [];
  return [...kept, { loc, msg: `${more} more inputs are wrong`, type: 'value_error' }];
}

function shortenDetail({ loc, msg, input, ...rest }: Detail): Detail {
  return {
    loc: loc.map((part) => (typeof part === 'string' ? beginning(part, LOC_CHARS) : part)),
    msg: beginning(msg, MSG_CHARS),
    ...rest,
    ...(typeof input === 'string' && { input: beginning(input, INPUT_CHARS) }),
    ...((typeof input === 'number' || typeof input === 'boolean') && { input }),
  };
}

function beginning(text: string, mostChars: number): string {
  return text.length > mostChars ? text.slice(0, mostChars).replace(HALF, '') : text;
}
