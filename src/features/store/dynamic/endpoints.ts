import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PathId, ProductRef } from '../../../kernel/shapes.ts'
import { DynamicAddress, NewDynamicAddress, SetDynamicAddress } from './schema.ts'
import { checkAddressUrl, getAddress, setAddress } from './set-address.ts'

const VariantPath = z.object({
  id: ProductRef,
  variant_id: PathId.describe('The id of the variant.'),
})

export const dynamicEndpoints = [
  endpoint({
    id: 'variants.get_dynamic',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/dynamic',
    permission: 'products:read',
    summary: 'Get the address that provides the texts of a dynamic variant.',
    params: VariantPath,
    response: z.object({ dynamic: DynamicAddress }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      dynamic: await getAddress(context, params.id, params.variant_id),
    }),
  }),
  endpoint({
    id: 'variants.set_dynamic',
    method: 'PUT',
    path: '/products/:id/variants/:variant_id/dynamic',
    permission: 'products:write',
    summary: 'Set the address that provides the texts of a dynamic variant.',
    description:
      'When an order is paid, Tradepost sends a signed POST to this address. If it answers with a 2xx status within 10 seconds, the body of the answer, at most 64 KiB of text, is delivered to the customer. After three failed attempts the delivery is `failed`. Requests are signed like webhooks, with the secret that this operation returns when it sets the first address. All attempts of a delivery have the same `id`.',
    params: VariantPath,
    body: NewDynamicAddress,
    example: { url: 'https://keys.example.com/new' },
    response: z.object({ dynamic: SetDynamicAddress }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'variant.set_dynamic', object: 'product' },
    prepare: ({ context, body }) => checkAddressUrl(context, body),
    handle: async ({ context, params, body }) => ({
      dynamic: await setAddress(context, params.id, params.variant_id, body),
    }),
  }),
]
