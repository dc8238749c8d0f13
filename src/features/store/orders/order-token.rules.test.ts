import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { idInToken, opensOrder, orderToken } from './order-token.rules.ts'

const sign = (text: string) => createHmac('sha256', 'key').update(text).digest()
const ORDER = { store_id: 1, id: 'ord_0A1b2C3d4E5f6G7h8I9j0K', link_version: 0 }
const TOKEN = orderToken(ORDER, sign)

test('a token has the id of its order and 192 bits more (decision 464)', () => {
  expect(TOKEN).toMatch(/^ot_0A1b2C3d4E5f6G7h8I9j0K[\w-]{32}$/)
  expect(idInToken(TOKEN)).toBe(ORDER.id)
  expect(opensOrder(TOKEN, ORDER, sign)).toBe(true)
})

test.each([
  ['another store', { ...ORDER, store_id: 2 }],
  ['another order', { ...ORDER, id: 'ord_0A1b2C3d4E5f6G7h8I9j0L' }],
  ['a later link', { ...ORDER, link_version: 1 }],
])('a token does not open %s', (_, order) => {
  expect(opensOrder(TOKEN, order, sign)).toBe(false)
})

test.each([
  '',
  'ot_',
  TOKEN.slice(0, -1),
  `${TOKEN}A`,
  `x${TOKEN}`,
  TOKEN.replace('ot_', 'ord_'),
  `${TOKEN}\n`,
])('%j is no token', (text) => {
  expect([idInToken(text), opensOrder(text, ORDER, sign)]).toEqual([undefined, false])
})

test('a changed character is noticed at every position but the id, which names another order', () => {
  for (let position = 'ot_'.length + 22; position < TOKEN.length; position += 1) {
    const character = TOKEN[position] === 'A' ? 'B' : 'A'
    const changed = TOKEN.slice(0, position) + character + TOKEN.slice(position + 1)
    expect(opensOrder(changed, ORDER, sign)).toBe(false)
  }
})
