import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { readBodyAs } from '../../../http/read-request.ts'
import {
  checkConnection,
  connectProvider,
  disconnectProvider,
  listProviders,
} from './connect-provider.ts'
import { Disconnection, NewConnection, PaymentProvider, ProviderPath } from './schema.ts'

export const paymentProviderEndpoints = [
  endpoint({
    id: 'account.list_payment_providers',
    method: 'GET',
    path: '/account/payment-providers',
    permission: 'account:read',
    summary: 'List the payment providers that this side of the store can connect.',
    response: z.object({
      payment_providers: z.array(PaymentProvider).describe('All payment providers.'),
    }),
    errors: [],
    handle: async ({ context }) => ({ payment_providers: await listProviders(context) }),
  }),
  endpoint({
    id: 'account.connect_payment_provider',
    method: 'PUT',
    path: '/account/payment-providers/:provider',
    permission: 'account:write',
    summary: 'Connect a payment provider.',
    description:
      'The provider is asked once whether it accepts the credentials; nothing is stored if it does not. They are encrypted and never shown again; another call replaces them. The payment method of the provider can then be used for orders, and is enabled on products whose methods were never changed. `stripe` needs `secret_key` and `webhook_secret`, with a key of the same mode as this side; create a webhook endpoint for `callback_url` at Stripe with the events `checkout.session.completed`, `checkout.session.async_payment_succeeded`, `checkout.session.async_payment_failed`, `checkout.session.expired`, `charge.refunded`, `refund.updated`, `charge.dispute.created` and `charge.dispute.closed`. `test` has no fields; it is connected to the test side of a store from the start; the live side cannot connect it. If several server processes run, the others accept the method within 5 seconds.',
    params: ProviderPath,
    body: NewConnection,
    example: {
      secret_key: 'sk_test_51Pz0QhExample',
      webhook_secret: 'whsec_1Yb7Example',
    },
    response: z.object({ payment_provider: PaymentProvider }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: 'itself',
    // The shape of the body depends on the provider, and an unknown provider is refused first.
    prepare: ({ context, params, body }) =>
      checkConnection(context, params.provider, (shape) => readBodyAs(shape, body)),
    handle: async ({ context, params, prepared }) => ({
      payment_provider: await connectProvider(context, params.provider, prepared),
    }),
  }),
  endpoint({
    id: 'account.disconnect_payment_provider',
    method: 'DELETE',
    path: '/account/payment-providers/:provider',
    permission: 'account:write',
    summary: 'Disconnect a payment provider.',
    description:
      'It is refused while a payment of the provider is open. With `?force=true` such payments stay open, and their callbacks are refused.',
    params: ProviderPath,
    query: Disconnection,
    response: z.object({
      deleted: z.literal(true).describe('Always true.'),
      id: z.string().describe('The name of the provider.'),
    }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'account.disconnect_payment_provider', object: 'payment_provider' },
    handle: ({ context, params, query }) => disconnectProvider(context, params.provider, query),
  }),
]
