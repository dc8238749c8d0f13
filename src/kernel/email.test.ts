import { expect, test } from 'vitest'
import { asciiEmail, canonicalEmail, emailForms, isEmail, sameEmail, searchForms } from './email.ts'

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
  'a@１.example',
  'a@१.१',
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
  // Digits that would become an IPv4 address: of full width, in a circle, raised, bold, hexadecimal, with other dots.
  'a@１.１',
  'a@１２７.0.0.1',
  'a@①.①',
  'a@¹.¹',
  'a@𝟏.𝟏',
  'a@０x7f.1',
  'a@1。1',
  'a@１',
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
  ['ada@１.EXAMPLE', 'ada@1.example'],
])('%s is in ASCII %s', (text, expected) => {
  expect(asciiEmail(text)).toBe(expected)
})

test.each([
  ['ada@example.com', ['ada@example.com']],
  ['ada@1.1', ['ada@1.1']],
  ['ada@bücher.example', ['ada@bücher.example', 'ada@xn--bcher-kva.example']],
  ['Ada@XN--bcher-kva.example', ['ada@xn--bcher-kva.example', 'ada@bücher.example']],
  ['ada@xn--bcher-kva.例え', ['ada@bücher.例え', 'ada@xn--bcher-kva.xn--r8jz45g']],
  ['ada@straße.example', ['ada@straße.example', 'ada@xn--strae-oqa.example']],
  ['ada@xn--a.example', ['ada@xn--a.example']],
  ['ada', ['ada']],
])('%s has the forms %j (decision 448)', (text, forms) => {
  expect(emailForms(text)).toEqual(forms)
  for (const form of forms) expect(emailForms(form).toSorted()).toEqual(forms.toSorted())
})

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@bücher.example'],
  ['ada@bücher。example', 'ada@bücher.example'],
  ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
  ['ada', 'ada'],
  ['ada@\u00ad', 'ada@\u00ad'],
])('%s is stored as %s (decision 448)', (text, stored) => {
  expect(canonicalEmail(text)).toBe(stored)
  expect(canonicalEmail(stored)).toBe(stored)
})

test.each([
  ['Ada@example.com', 'ada@EXAMPLE.com', true],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example', true],
  ['ada@bücher.example', 'ida@bücher.example', false],
  ['ada@bücher.example', 'ada@bucher.example', false],
  ['', 'ada', false],
])('whether %s and %s are equal: %s', (a, b, equal) => {
  expect(sameEmail(a, b)).toBe(equal)
})

test.each([
  ['Ada', ['Ada']],
  ['büch', ['büch']],
  ['Ada Bücher', ['Ada Bücher']],
  ['ada@example.com', ['ada@example.com']],
  ['@Bücher.example', ['@Bücher.example', '@xn--bcher-kva.example']],
  ['xn--bcher-kva.example', ['xn--bcher-kva.example', 'bücher.example']],
])('%s is searched as %j', (text, forms) => {
  expect(searchForms(text)).toEqual(forms)
})
