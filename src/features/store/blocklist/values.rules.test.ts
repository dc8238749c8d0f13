import { expect, test } from 'vitest'
import { canonicalValue, valuesAgainst } from './values.rules.ts'

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

test('an order is blocked by its address, its domain, and every range around its IP address', () => {
  const values = valuesAgainst('ada@example.com', '::ffff:192.0.2.9')
  expect(values).toHaveLength(2 + 33)
  expect(values).toEqual(
    expect.arrayContaining([
      'ada@example.com',
      '*@example.com',
      '192.0.2.9',
      '192.0.2.8/31',
      '192.0.0.0/16',
      '0.0.0.0/0',
    ]),
  )
  expect(valuesAgainst('ada@example.com', '2001:db8::1')).toHaveLength(2 + 129)
  expect(valuesAgainst('ada@example.com')).toEqual(['ada@example.com', '*@example.com'])
  expect(valuesAgainst('ada@example.com', null)).toHaveLength(2)
})
