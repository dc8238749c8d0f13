import { endpoint } from '../../../http/endpoint.ts'
import { advanceByCall } from './advance-test-clock.ts'
import { ClockAdvance, ClockAdvanced } from './schema.ts'

export const clockEndpoints = [
  endpoint({
    id: 'account.advance_test_clock',
    method: 'POST',
    path: '/account/test-clock',
    permission: 'account:write',
    summary: "Move the clock of a store's test side forward. Requires a test key.",
    description:
      'All work that becomes due runs in order, each at its own time: orders expire, trials end, subscriptions renew, webhooks are retried. The call answers when all of it has run. If the caller disconnects, the clock stops at the next step; a repeated call with the same idempotency key then gets `INVALID_STATE` with the time that remains.',
    body: ClockAdvance,
    example: { advance: '90m' },
    response: ClockAdvanced,
    errors: ['VALIDATION_FAILED', 'STORE_NOT_ALLOWED', 'INVALID_STATE', 'SERVICE_UNAVAILABLE'],
    audit: 'itself',
    prepare: ({ context, body }, app, signal) => advanceByCall(app, context, body.advance, signal),
    handle: async ({ prepared }) => ({ now: prepared }),
  }),
]
