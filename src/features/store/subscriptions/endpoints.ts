import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import {
  AutoRenewal,
  AutoRenewalPath,
  AutoRenewalQuery,
  ListedSubscription,
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
]
