import { expect, test } from 'vitest'
import { blocklistKeysOf, canonicalValue } from './values.rules.ts'

test.each([
  ['ada@example.com', 'ada@example.com'],
  [' Ada@Example.COM ', 'ada@example.com'],
  ['*@Example.com', '*@example.com'],
  ['*@bücher.example', '*@xn--bcher-kva.example'],
  ['*@BÜCHER.example', '*@xn--bcher-kva.example'],
  ['*@XN--BCHER-KVA.example', '*@xn--bcher-kva.example'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['*@ｅｘａｍｐｌｅ.com', '*@example.com'],
  ["o'hara+spam@example.com", "o'hara+spam@example.com"],
  ['ada@10.1', 'ada@10.1'],
  // An IP address would be written with four numbers.
  ['*@10.1', '*@10.1'],
])('the email value %s has the canonical form %s', (text, expected) => {
  expect(canonicalValue('email', text)).toBe(expected)
})

test.each([
  'example.com',
  '@example.com',
  '*',
  '*@',
  '*@com',
  '*@*.example.com',
  '*a@example.com',
  '**@example.com',
  'a@b@example.com',
  '*@example.com.',
  '*@exa mple.com',
  '*@127.0.0.1',
  '*@１２７.0.0.1',
  'ada@１０.1',
  'ädä@example.com',
  `${'a'.repeat(250)}@example.com`,
])('the email value %s is refused', (text) => {
  expect(canonicalValue('email', text)).toBeUndefined()
})

test('an order matches entries for its email, its domain, its IP address and every range of whole bytes around it', () => {
  expect(blocklistKeysOf('ada@example.com', '::ffff:192.0.2.9')).toEqual({
    values: ['ada@example.com', '*@example.com'],
    ips: ['192.0.2.9'],
    ranges: ['0.0.0.0/0', '192.0.0.0/8', '192.0.0.0/16', '192.0.2.0/24', '192.0.2.9'],
  })
  const { ips, ranges } = blocklistKeysOf('ada@example.com', '2001:db8::1%eth0')
  expect([ips, ranges.length]).toEqual([['2001:db8::1'], 17])
  const { ips: bothIps, ranges: bothRanges } = blocklistKeysOf(undefined, '2002:c000:209::1')
  expect([bothIps, bothRanges.length]).toEqual([['2002:c000:209::1', '192.0.2.9'], 22])
  const idn = blocklistKeysOf('ada@bücher.example')
  expect(idn.values).toEqual(['ada@xn--bcher-kva.example', '*@xn--bcher-kva.example'])
  const withoutIp = { values: ['ada@example.com', '*@example.com'], ips: [], ranges: [] }
  expect(blocklistKeysOf('ada@example.com')).toEqual(withoutIp)
  expect(blocklistKeysOf('ada@example.com', null)).toEqual(withoutIp)
})
