import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventId, parseEventId } from './event-id.ts'
import { EVENT_TYPES } from './types.ts'

test('an id contains the number of its event and the random bits of its tag', () => {
  const numbers = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
  const tags = fc.integer({ min: 0, max: 2 ** 47 - 1 })
  fc.assert(
    fc.property(numbers, tags, (no, tag) => {
      const id = eventId(no, tag)
      expect(id).toMatch(/^evt_[0-9A-Za-z]{22}$/)
      expect(parseEventId(id)).toEqual({ no, tag })
    }),
  )
})

test('later events have ids that sort later', () => {
  const ids = [eventId(1, 2 ** 47 - 1), eventId(2, 0), eventId(64, 5), eventId(1_000_000, 0)]
  expect([...ids].sort()).toEqual(ids)
})

test.each([
  '',
  'evt_',
  'evt_1',
  'evt_zzzzzzzzzzzzzzzzzzzzzz',
  'evt_000000000000000000000-',
  'we_0000000000000000000001',
  `evt_${'0'.repeat(23)}`,
  ` evt_${'0'.repeat(22)}`,
])('"%s" is not an event id', (id) => {
  expect(parseEventId(id)).toBeUndefined()
})

test('the event types are the 19 of the specification, in its order', () => {
  expect(EVENT_TYPES).toEqual([
    'order.created',
    'order.completed',
    'order.partially_paid',
    'order.manual_review',
    'order.expired',
    'order.cancelled',
    'order.refunded',
    'product.out_of_stock',
    'product.restocked',
    'product.deleted',
    'review.created',
    'question.created',
    'question.answered',
    'customer.created',
    'withdrawal.completed',
    'affiliate.partner_applied',
    'affiliate.conversion',
    'affiliate.payout_requested',
    'affiliate.payout_sent',
  ])
})
