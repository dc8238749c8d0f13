import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { CustomerPath } from '../customers/index.ts'
import { deleteAtProvider, deleteMethod, listMethods } from './change-methods.ts'
import { MethodPath, PaymentMethod } from './schema.ts'

export const paymentMethodEndpoints = [
  endpoint({
    id: 'customers.list_payment_methods',
    method: 'GET',
    path: '/customers/:id/payment-methods',
    permission: 'customers:read',
    summary: 'List the payment methods that a customer has saved at payment providers.',
    description:
      'A method is saved by a payment with `save_method`, and by the payment of an order that starts or renews a subscription. Renewals charge the default one.',
    params: CustomerPath,
    response: z.object({
      payment_methods: z.array(PaymentMethod).describe('The methods, the newest first.'),
    }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      payment_methods: await listMethods(context, params.id),
    }),
  }),
  endpoint({
    id: 'customers.delete_payment_method',
    method: 'DELETE',
    path: '/customers/:id/payment-methods/:payment_method_id',
    permission: 'customers:write',
    summary: 'Delete a saved payment method, here and at its provider.',
    description: 'Renewals then charge the newest other one of the provider, or wait to be paid.',
    params: MethodPath,
    response: z.object({
      deleted: z.literal(true).describe('Always true.'),
      id: z.int().describe('The id of the deleted payment method.'),
    }),
    errors: ['NOT_FOUND', 'PROVIDER_REFUSED'],
    audit: { action: 'customer.delete_payment_method', object: 'customer' },
    prepare: ({ context, params: { id: customerId, payment_method_id: id } }) =>
      deleteAtProvider(context, { customerId, id }),
    handle: async ({ context, params: { id: customerId, payment_method_id: id } }) => {
      await deleteMethod(context, { customerId, id })
      return { deleted: true as const, id }
    },
  }),
]
