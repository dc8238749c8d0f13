import { expect, test } from 'vitest'
import { asciiEmail, isEmail } from './email.ts'

test.each([
  'ada@example.com',
  'r&d@example.com',
  'a/b@example.com',
  "o'hara+spam@example.com",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  '.a..b.@example.com',
  `${'a'.repeat(64)}@example.com`,
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
  `a@${'b'.repeat(63)}.example`,
  'a@b-c.example',
  'a@xn--bcher-kva.example',
  'a@bücher.example',
  'a@例え.テスト',
  'a@пример.рф',
  'a@1.example',
])('%s is an email address', (text) => {
  expect(isEmail(text)).toBe(true)
})

test.each([
  '',
  'ada',
  '@example.com',
  'a@',
  'a@b@example.com',
  'ädä@example.com',
  'a b@example.com',
  'a"b@example.com',
  'a(b)@example.com',
  'a@example-.com',
  'a@-example.com',
  'a@example..com',
  'a@example.com.',
  'a@.example.com',
  'a@exa_mple.com',
  'a@exa%6dple.com',
  'a@[127.0.0.1]',
  'a@exa mple.com',
  'a@\u00ad',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.example`,
  `a@${'ü'.repeat(60)}.example`,
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`,
])('%s is no email address', (text) => {
  expect(isEmail(text)).toBe(false)
})

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@1.1', 'ada@1.1'],
])('%s is in ASCII %s', (text, expected) => {
  expect(asciiEmail(text)).toBe(expected)
})
