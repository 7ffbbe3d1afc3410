import { describe, expect, it } from 'vitest';
import { isPublic } from '../../../jobs/watches/public-address.ts';

/** Begin, end and neighbours of blocks in the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890). */
describe('an address that the IANA registries do not call globally reachable', () => {
  it.each([
    ['this network', ['0.0.0.0', '0.255.255.255']],
    ['private use', ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255']],
    ['shared by a provider', ['100.64.0.0', '100.127.255.255']],
    ['loopback', ['127.0.0.1', '127.255.255.255', '::1']],
    ['link-local', ['169.254.169.254', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf::1']],
    ['protocol assignments', ['192.0.0.0', '192.0.0.8', '192.0.0.11', '192.0.0.170', '192.0.0.171', '192.0.0.255']],
    ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1']],
    ['the old relay of 6to4', ['192.88.99.1']],
    ['benchmarks', ['198.18.0.0', '198.19.255.255', '2001:2::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
    ['reserved', ['240.0.0.1', '255.255.255.255']],
    ['unspecified', ['::']],
    ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:c0a8:1']],
    ['IPv4-compatible', ['::7f00:1', '::10.0.0.1', '::8.8.8.8']],
    ['IPv4-translated', ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8']],
    [
      'NAT64 to an IPv4 address that is not',
      ['64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe'],
    ],
    ['NAT64 of a local network', ['64:ff9b:1::1', '64:ff9b:1::8.8.8.8', '64:ff9b:0:0:0:1:808:808']],
    ['discard-only and dummy', ['100::1', '100:0:0:1::1']],
    ['Teredo', ['2001::1', '2001:0:ffff::1']],
    [
      'other protocol assignments',
      ['2001:1::', '2001:1::4', '2001:4:111::1', '2001:10::1', '2001:40::1', '2001:1ff::1'],
    ],
    ['6to4', ['2002::1', '2002:7f00:1::1', '2002:a00:1::1', '2002:808:808::1']],
    ['segment routing', ['5f00::1']],
    ['unique local', ['fc00::1', 'fdff::1']],
    ['site-local', ['fec0::1', 'feff::1']],
    ['not assigned to anyone', ['200::1', '1fff::1', '4000::1', 'e000::1']],
    ['no address at all', ['', 'localhost', '127.1', '2130706433', '[::1]', '1.2.3.4.5']],
  ])('is not public: %s', (_what, addresses) => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });
});

describe('an address that they do, or that no registry names', () => {
  it.each([
    [
      'next to a block',
      [
        ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
        ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
        ...['192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
        ...['198.20.0.1', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
        ...[
          '2000::1',
          '2001:200::1',
          '2001:4860::1',
          '2001:db7::1',
          '2001:db9::1',
          '2003::1',
          '3ffe::1',
          '3fff:1000::1',
        ],
      ],
    ],
    ['anycast of a protocol', ['192.0.0.9', '192.0.0.10', '2001:1::1', '2001:1::2', '2001:1::3']],
    ['AS112', ['192.31.196.1', '192.175.48.1', '2001:4:112::1', '2620:4f:8000::1']],
    ['AMT', ['192.52.193.1', '2001:3::1']],
    ['identifiers', ['2001:20::1', '2001:2f::1', '2001:30::1', '2001:3f::1']],
    ['NAT64 to such an IPv4 address', ['64:ff9b::808:808', '64:ff9b::93.184.216.34', '64:ff9b::192.0.0.9']],
    ['such an IPv4 address, mapped', ['::ffff:8.8.8.8', '::ffff:c614:1']],
  ])('is public: %s', (_what, addresses) => {
    expect(addresses.filter((address) => !isPublic(address))).toEqual([]);
  });
});
