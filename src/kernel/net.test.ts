import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalIp,
  canonicalRange,
  forwardedAddresses,
  isRange,
  networkOf,
  rangeMatcher,
  rangesAround,
} from './net.ts'

test.each([
  '10.0.0.1',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '255.255.255.255/32',
  '::1',
  '2001:db8::/32',
  '::/128',
])('%s is an address or a range', (text) => {
  expect(isRange(text)).toBe(true)
})

test.each([
  '',
  'localhost',
  '10.0.0',
  '10.0.0.1/33',
  '10.0.0.1/',
  '10.0.0.1/-1',
  '10.0.0.1/8/8',
  '10.0.0.1/x',
  '2001:db8::/129',
  '010.0.0.1',
  ' 10.0.0.1',
  'fe80::1%eth0',
])('"%s" is neither an address nor a range', (text) => {
  expect(isRange(text)).toBe(false)
})

test.each([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['2001:db8::/32', '2001:db8:1::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['::1', '::1', true],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['10.0.0.0/8', 'nonsense', false],
])('the range %s contains %s: %s', (range, ip, isContained) => {
  expect(rangeMatcher([range])(ip)).toBe(isContained)
})

test.each(['64:ff9b::127.0.0.1', '2002:7f00:1::1', '::127.0.0.1'])(
  'a range of trusted addresses does not contain %s, because its IPv4 address proves no sender',
  (ip) => {
    expect(rangeMatcher(['127.0.0.0/8'])(ip)).toBe(false)
  },
)

test('several ranges match the addresses of each range, and an empty list matches no address', () => {
  const matches = rangeMatcher(['10.0.0.0/8', '2001:db8::/32'])
  expect(['10.0.0.1', '2001:db8::1', '192.0.2.1'].map(matches)).toEqual([true, true, false])
  expect(rangeMatcher([])('10.0.0.1')).toBe(false)
})

test('an IPv4 address written as IPv6 is the IPv4 address', () => {
  expect(canonicalIp('::FFFF:192.0.2.1')).toBe('192.0.2.1')
  expect(canonicalIp('192.0.2.1')).toBe('192.0.2.1')
  expect(canonicalIp('::ffff:c000:201')).toBe('192.0.2.1')
  expect(canonicalIp('0:0:0:0:0:FFFF:192.0.2.1')).toBe('192.0.2.1')
  expect(canonicalIp('2001:db8::ffff')).toBe('2001:db8::ffff')
  expect(canonicalIp('::ffff:999.0.0.1')).toBeUndefined()
  expect(canonicalIp('unknown')).toBeUndefined()
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['64:ff9b::192.0.2.1', '192.0.2.1'],
  ['2002:c000:201:7::9', '192.0.2.1'],
  ['::192.0.2.1', '192.0.2.1'],
])('rate limits count %s as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test.each([
  ['203.0.113.7:5678', ['203.0.113.7']],
  ['[2001:db8::1]:443', ['2001:db8::1']],
  ['[2001:db8::1]', ['2001:db8::1']],
  ['2001:db8::1', ['2001:db8::1']],
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['[::ffff:203.0.113.7]:80', ['203.0.113.7']],
  ['8.8.8.8:1, 203.0.113.7:2 ,10.0.0.1', ['8.8.8.8', '203.0.113.7', '10.0.0.1']],
  ['203.0.113.7, unknown, 10.0.0.1', ['10.0.0.1']],
  ['203.0.113.7, unknown', []],
  ['203.0.113.7:', []],
  ['203.0.113.7:http', []],
  ['[203.0.113.7]:80', []],
  ['[2001:db8::1', []],
  ['', []],
  [' , ,', []],
])('X-Forwarded-For "%s" gives %j (decision 129)', (header, addresses) => {
  expect(forwardedAddresses(header)).toEqual(addresses)
})

describe('canonicalRange', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['192.0.2.77/25', '192.0.2.0/25'],
    ['192.0.2.200/25', '192.0.2.128/25'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['0000:0000:0000:0000:0000:FFFF:0102:0304', '1.2.3.4'],
    ['::ffff:1.2.3.4/128', '1.2.3.4'],
    ['::ffff:1.2.3.4/120', '1.2.3.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::ffff:0:0/95', '::fffe:0:0/95'],
    ['::1.2.3.4', '1.2.3.4'],
    ['::102:304/128', '1.2.3.4'],
    ['64:ff9b::1.2.3.4', '1.2.3.4'],
    ['64:FF9B::102:304', '1.2.3.4'],
    ['2002:102:304::', '1.2.3.4'],
    ['2002:102:304:5::6', '1.2.3.4'],
    ['2002::/16', '2002::/16'],
    ['2002:102:304::/48', '2002:102:304::/48'],
    ['64:ff9b::/96', '64:ff9b::/96'],
    ['64:ff9b:1::1.2.3.4', '64:ff9b:1::102:304'],
    ['64:ff9b::1:0:0:1', '64:ff9b::1:0:0:1'],
    ['::1', '::1'],
    ['::0.1.2.3', '::1:203'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['2001:db8::/0', '::/0'],
    ['::', '::'],
    ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
  ])('the range %s is written as %s', (text, expected) => {
    expect(canonicalRange(text)).toBe(expected)
  })

  test.each([
    '',
    'example.com',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '010.0.0.1',
    '1.2.3.256',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/-1',
    '1.2.3.4/24/24',
    '1.2.3.4/255.255.255.0',
    '1.2.3.4 ',
    '1.2.3.4:80',
    '[::1]',
    '::1/129',
    'fe80::1%eth0',
    ':::1',
    '١.٢.٣.٤',
  ])('%s has no canonical range', (text) => {
    expect(canonicalRange(text)).toBeUndefined()
  })

  test('the ranges around an address are those that contain it', () => {
    const bytes = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(255)))
    const words = fc.tuple(...Array.from({ length: 8 }, () => fc.nat(0xffff)))
    const ips = fc.oneof(
      bytes.map((item) => item.join('.')),
      words.map((item) => item.map((word) => word.toString(16)).join(':')),
    )
    fc.assert(
      fc.property(ips, ips, fc.nat(128), (ip, otherIp, size) => {
        const isV4 = ip.includes('.')
        const prefix = isV4 ? size % 33 : size
        const range = canonicalRange(`${ip}/${prefix}`) ?? ''
        expect(rangesAround(ip, 1)).toContain(range)
        const matches = otherIp.includes('.') === isV4 && rangeMatcher([range])(otherIp)
        expect(rangesAround(otherIp, 1).includes(range)).toBe(matches)
      }),
    )
    expect(rangesAround('::ffff:1.2.3.4', 1)).toEqual(rangesAround('1.2.3.4', 1))
    expect(rangesAround('no address', 1)).toEqual([])
  })
})
