import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination, ProductRef } from '../../../kernel/shapes.ts'
import { getBilling, setBilling } from './billing.ts'
import {
  AutoRenewal,
  AutoRenewalPath,
  AutoRenewalQuery,
  Billing,
  ListedSubscription,
  NewBilling,
  Subscription,
  SubscriptionPath,
  SubscriptionQuery,
} from './schema.ts'
import {
  listAutoRenewals,
  listSubscriptions,
  readAutoRenewal,
  readSubscription,
} from './show-subscriptions.ts'

const TOTAL_NOTE = '`total` is exact up to 10,000; `has_more` is always exact.'
const BILLING_OF_PRODUCT = {
  params: z.object({ id: ProductRef }),
  response: z.object({ billing: Billing }),
}

export const subscriptionEndpoints = [
  endpoint({
    id: 'subscriptions.list',
    method: 'GET',
    path: '/subscriptions',
    permission: 'subscriptions:read',
    feature: 'subscriptions',
    summary: 'List subscriptions, by default the newest first.',
    description: TOTAL_NOTE,
    query: SubscriptionQuery,
    response: z.object({
      subscriptions: z.array(ListedSubscription).describe('A page of subscriptions.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listSubscriptions(context, query),
  }),
  endpoint({
    id: 'subscriptions.get',
    method: 'GET',
    path: '/subscriptions/:id',
    permission: 'subscriptions:read',
    feature: 'subscriptions',
    summary: 'Get a subscription with its payments and its auto-renewal.',
    params: SubscriptionPath,
    response: z.object({ subscription: Subscription }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      subscription: await readSubscription(context, context.db, params.id),
    }),
  }),
  endpoint({
    id: 'auto_renewals.list',
    method: 'GET',
    path: '/auto-renewals',
    permission: 'subscriptions:read',
    feature: 'subscriptions',
    summary: 'List the auto-renewals of subscriptions that have started, the newest first.',
    description: TOTAL_NOTE,
    query: AutoRenewalQuery,
    response: z.object({
      auto_renewals: z.array(AutoRenewal).describe('A page of auto-renewals.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listAutoRenewals(context, query),
  }),
  endpoint({
    id: 'auto_renewals.get',
    method: 'GET',
    path: '/auto-renewals/:id',
    permission: 'subscriptions:read',
    feature: 'subscriptions',
    summary: 'Get an auto-renewal. It has the id of its subscription.',
    params: AutoRenewalPath,
    response: z.object({ auto_renewal: AutoRenewal }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      auto_renewal: await readAutoRenewal(context, context.db, params.id),
    }),
  }),
  endpoint({
    id: 'billing.get',
    method: 'GET',
    path: '/products/:id/billing',
    permission: 'products:read',
    feature: 'subscriptions',
    summary: 'Get the billing of a subscription product.',
    ...BILLING_OF_PRODUCT,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ billing: await getBilling(context, params.id) }),
  }),
  endpoint({
    id: 'billing.set',
    method: 'PUT',
    path: '/products/:id/billing',
    permission: 'products:write',
    feature: 'subscriptions',
    summary: 'Set the billing of a product of the kind `subscription`.',
    description:
      'A product of this kind can be sold only after its billing is set. The first order costs the price of the product, even with a trial. For a free trial, set the price of the product to 0 and send `recurring_price_cents`. Existing subscriptions keep their terms.',
    ...BILLING_OF_PRODUCT,
    body: NewBilling,
    example: { billing_cycle: 'monthly', trial_days: 14, recurring_price_cents: 999 },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      billing: await setBilling(context, params.id, body),
    }),
  }),
]
