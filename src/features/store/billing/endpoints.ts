import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { ProductRef } from '../../../kernel/shapes.ts'
import { Billing, NewBilling } from './schema.ts'
import { getBilling, setBilling } from './set-billing.ts'

const BILLING_OF_PRODUCT = {
  params: z.object({ id: ProductRef }),
  response: z.object({ billing: Billing }),
}

export const billingEndpoints = [
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
    audit: { action: 'billing.set', object: 'product' },
    handle: async ({ context, params, body }) => ({
      billing: await setBilling(context, params.id, body),
    }),
  }),
]
