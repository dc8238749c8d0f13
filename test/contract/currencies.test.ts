import { expect, test } from 'vitest'
import { exponentOf } from '../../dashboard/src/kit/currency-digits.ts'
import { EXPONENTS } from '../../src/kernel/currencies.ts'
import { exponentOf as serverExponentOf } from '../../src/kernel/money.ts'

test('every currency has the same minor unit in the dashboard and on the server', () => {
  const codes = [...EXPONENTS.keys(), 'USDT']
  expect(codes.map((code) => [code, exponentOf(code)])).toEqual(
    codes.map((code) => [code, serverExponentOf(code)]),
  )
})
