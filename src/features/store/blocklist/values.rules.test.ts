import { expect, test } from 'vitest'
import { blockedBy, canonicalValue } from './values.rules.ts'

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
])('the e-mail value %s is %s', (text, expected) => {
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
  'ädä@example.com',
  `${'a'.repeat(250)}@example.com`,
])('the e-mail value %s is refused', (text) => {
  expect(canonicalValue('email', text)).toBeUndefined()
})

test('an order is blocked by its address, its domain, and every range of whole bytes that contains its IP address', () => {
  expect(blockedBy('ada@example.com', '::ffff:192.0.2.9')).toEqual({
    values: ['ada@example.com', '*@example.com'],
    ip: '192.0.2.9',
    around: ['0.0.0.0/0', '192.0.0.0/8', '192.0.0.0/16', '192.0.2.0/24', '192.0.2.9'],
  })
  const { ip, around } = blockedBy('ada@example.com', '2001:db8::1%eth0')
  expect([ip, around.length]).toEqual(['2001:db8::1', 17])
  const nowhere = { values: ['ada@example.com', '*@example.com'], ip: null, around: [] }
  expect(blockedBy('ada@example.com')).toEqual(nowhere)
  expect(blockedBy('ada@example.com', null)).toEqual(nowhere)
})
