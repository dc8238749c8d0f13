import { describe, expect, test } from 'vitest'
import { linesOfParts, type Payable, splitRefund } from './refund-parts.rules.ts'

const payment = (id: number, amount_cents: number, fields: Partial<Payable> = {}): Payable => ({
  id,
  kind: 'test',
  provider: 'test',
  amount_cents,
  refunded_cents: 0,
  pending_cents: 0,
  ...fields,
})
const manual = (id: number, amount_cents: number) =>
  payment(id, amount_cents, { kind: 'manual', provider: null })
const balance = (id: number, amount_cents: number) =>
  payment(id, amount_cents, { kind: 'balance', provider: null })

/** Returns the parts as pairs of a payment's id, or null, and an amount. */
const split = (payments: Payable[], cents: number, recorded_cents = 0) =>
  splitRefund(payments, { cents, recorded_cents }).map((part) => [
    part.payment?.id ?? null,
    part.cents,
  ])

describe('a refund is split', () => {
  test('over payments through providers, the newest first, none above what it holds', () => {
    const payments = [
      payment(1, 500),
      payment(3, 500, { refunded_cents: 100, pending_cents: 150 }),
      payment(2, 500),
    ]
    expect(split(payments, 900)).toEqual([
      [3, 250],
      [2, 500],
      [1, 150],
    ])
  })

  test('with one part for all payments without a provider, and the balance last', () => {
    const payments = [balance(4, 200), manual(3, 300), payment(2, 500), manual(1, 100)]
    expect(split(payments, 350)).toEqual([
      [null, 300],
      [2, 50],
    ])
    expect(split(payments, 1_100)).toEqual([
      [null, 600],
      [2, 500],
    ])
  })

  test('after earlier recorded refunds, which count for the payments that are refunded first', () => {
    const payments = [manual(3, 300), payment(2, 500), balance(1, 200)]
    expect(split(payments, 100, 300)).toEqual([[2, 100]])
    expect(split(payments, 600, 300)).toEqual([
      [2, 500],
      [null, 100],
    ])
  })

  test('into one part of 0 for an order of 0', () => {
    expect(split([], 0)).toEqual([[null, 0]])
  })
})

describe('the lines of a refund', () => {
  const line = (order_item_id: number, quantity: number, amount_cents: number) => ({
    order_item_id,
    quantity,
    amount_cents,
  })
  const divide = (lines: ReturnType<typeof line>[], ...amounts: number[]) =>
    linesOfParts(
      lines,
      amounts.map((cents) => ({ cents })),
    )

  test('add up to the amount of each part, and their units count once', () => {
    expect(divide([line(7, 2, 600), line(8, 1, 400)], 500, 500)).toEqual([
      [line(7, 2, 500)],
      [line(7, 0, 100), line(8, 1, 400)],
    ])
  })

  test('that cost nothing are in the last part', () => {
    expect(divide([line(7, 1, 500), line(8, 1, 0)], 500)).toEqual([
      [line(7, 1, 500), line(8, 1, 0)],
    ])
    expect(divide([line(7, 1, 500), line(8, 1, 0)], 300, 200)).toEqual([
      [line(7, 1, 300)],
      [line(7, 0, 200), line(8, 1, 0)],
    ])
  })

  test('of a refund without lines are none', () => {
    expect(divide([], 300, 200)).toEqual([[], []])
  })
})
