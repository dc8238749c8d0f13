import { expect, test } from 'vitest'
import { MOCKED_API_VERSION } from '../../scripts/stripe-mock.mjs'
import type { StripeRequest } from './stripe.ts'
import { replayAtStripeMock } from './stripe-mock.ts'

const request = (fields: Partial<StripeRequest> = {}): StripeRequest => ({
  method: 'POST',
  path: '/v1/checkout/sessions',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'stripe-version': MOCKED_API_VERSION,
  },
  body: 'mode=payment&success_url=https%3A%2F%2Fexample.com',
  ...fields,
})

test('a request to Stripe with known parameters passes', async () => {
  await replayAtStripeMock([request()])
})

test.each<[string, Partial<StripeRequest>]>([
  ['an unknown parameter', { body: 'mode=payment&colour=red' }],
  ['an unknown value', { body: 'mode=gift' }],
  ['an unknown path', { path: '/v1/checkouts' }],
  ['another version of the API', { headers: { 'stripe-version': '2020-03-02' } }],
])('a request to Stripe with %s fails the tests that made it', async (_case, fields) => {
  await expect(replayAtStripeMock([request(fields)])).rejects.toThrow('stripe-mock refused')
})
