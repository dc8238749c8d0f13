import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import {
  cancelAutoRenewal,
  cancelSubscription,
  patchSubscription,
  resumeSubscription,
} from './change-subscription.ts'
import {
  AutoRenewal,
  AutoRenewalPath,
  Cancellation,
  Subscription,
  SubscriptionPatch,
  SubscriptionPath,
} from './schema.ts'

const ONE_SUBSCRIPTION = {
  permission: 'subscriptions:write',
  feature: 'subscriptions',
  params: SubscriptionPath,
  response: z.object({ subscription: Subscription }),
} as const

export const renewalEndpoints = [
  endpoint({
    id: 'subscriptions.update',
    method: 'PATCH',
    path: '/subscriptions/:id',
    summary:
      'Switch the auto-renewal of a subscription on or off, change its payment method, or move its next billing date.',
    ...ONE_SUBSCRIPTION,
    body: SubscriptionPatch,
    example: { next_billing_date: '2027-03-01T00:00:00.000Z' },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'subscription.update', object: 'subscription' },
    handle: async ({ context, params, body }) => ({
      subscription: await patchSubscription(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'subscriptions.cancel',
    method: 'POST',
    path: '/subscriptions/:id/cancel',
    summary: 'Cancel a subscription at the end of its period, or now.',
    description:
      'With `at_period_end`, the status does not change until the end of the period, and `auto_renew` becomes false. A subscription that is past due ends now, and its unpaid renewal is cancelled.',
    ...ONE_SUBSCRIPTION,
    body: Cancellation,
    example: { at_period_end: true },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'INVOICE_PAID'],
    audit: { action: 'subscription.cancel', object: 'subscription' },
    handle: async ({ context, params, body }) => ({
      subscription: await cancelSubscription(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'subscriptions.resume',
    method: 'POST',
    path: '/subscriptions/:id/resume',
    summary: 'Undo a cancellation at the end of the period.',
    ...ONE_SUBSCRIPTION,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'subscription.resume', object: 'subscription' },
    handle: async ({ context, params }) => ({
      subscription: await resumeSubscription(context, params.id),
    }),
  }),
  endpoint({
    id: 'auto_renewals.cancel',
    method: 'POST',
    path: '/auto-renewals/:id/cancel',
    permission: 'subscriptions:write',
    feature: 'subscriptions',
    summary: 'Cancel an auto-renewal. The subscription ends at the end of the current period.',
    params: AutoRenewalPath,
    response: z.object({ auto_renewal: AutoRenewal }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'auto_renewal.cancel', object: 'auto_renewal' },
    handle: async ({ context, params }) => ({
      auto_renewal: await cancelAutoRenewal(context, params.id),
    }),
  }),
]
