import { promises } from 'node:dns';
import { BlockList, isIPv4, type LookupFunction } from 'node:net';

/** Where public addresses are: IPv4, also behind NAT64, and what IANA assigns for global unicast of IPv6. */
const UNICAST = listBlocks('0.0.0.0/0', '2000::/3');

/** What the IANA special-purpose address registries (RFC 6890) do not call globally reachable, and multicast. */
const SPECIAL = listBlocks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
);

/** What they call globally reachable within those blocks. */
const REACHABLE = listBlocks(
  '192.0.0.9/32',
  '192.0.0.10/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
);

/** An IPv4 block also covers its addresses behind NAT64 (RFC 6052). A BlockList itself covers those that are IPv4-mapped. */
function listBlocks(...blocks: string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [net = '', bits] = block.split('/');
    list.addSubnet(net, Number(bits), isIPv4(net) ? 'ipv4' : 'ipv6');
    if (isIPv4(net)) list.addSubnet(`64:ff9b::${net}`, 96 + Number(bits), 'ipv6');
  }
  return list;
}

/** Whether an IP address is on the public internet. */
export function isPublic(address: string): boolean {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  return UNICAST.check(address, family) && (!SPECIAL.check(address, family) || REACHABLE.check(address, family));
}

/** The code of a look-up of a name with an address that is not on the public internet. */
export const NOT_PUBLIC = 'ENOTPUBLIC';

/** A resolver whose look-up fails with NOT_PUBLIC where any address of the name is not public. */
export function lookUpPublic(lookup: LookupFunction = makeResolver()): LookupFunction {
  return (name, options, done) =>
    lookup(name, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      if (error || addresses.every(isPublic)) done(error, found, family);
      else done(faultOf(NOT_PUBLIC), []);
    });
}

/** How long a name server has to answer; when asked again, twice as long. */
const ANSWER_MS = 2_500;
const TRIES = 2;

/**
 * A resolver that asks name servers itself, by default the system's. The system's own resolver holds one of two threads of the
 * process until a name is answered: two names whose servers are silent would hold up all others.
 */
export function makeResolver(servers?: readonly string[]): LookupFunction {
  return async (name, { all }, done) => {
    // Made for each name, as only a new one reads which servers the system has by now.
    const resolver = new promises.Resolver({ timeout: ANSWER_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer, place) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: place === 0 ? 4 : 6 })) : [],
    );
    const [first] = found;
    if (!first) done(faultOf(answers.every(isNone) ? 'ENOTFOUND' : 'EAI_AGAIN'), []);
    else if (all) done(null, found);
    else done(null, first.address, first.family);
  };
}

/** Whether a name server said that there is no such address. */
function isNone(answer: PromiseSettledResult<unknown>): boolean {
  return answer.status === 'rejected' && ['ENOTFOUND', 'ENODATA'].includes(answer.reason.code);
}

function faultOf(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
