import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PathId, ProductRef } from '../../../kernel/shapes.ts'
import { DynamicAddress, NewDynamicAddress, SetDynamicAddress } from './schema.ts'
import { getAddress, setAddress, vetAddress } from './set-address.ts'

const VariantPath = z.object({ id: ProductRef, variant_id: PathId.describe('The variant.') })

export const dynamicEndpoints = [
  endpoint({
    id: 'variants.get_dynamic',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/dynamic',
    permission: 'products:read',
    summary: 'Get the address that texts of a dynamic variant are asked for.',
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
    summary: 'Set the address that texts of a dynamic variant are asked for.',
    description:
      'When an order is paid, Tradepost sends a signed POST there. A 2xx answer of at most 64 KiB of text within 10 seconds is the delivered text. There are three attempts; then the delivery is `failed`. The signature is that of webhooks, with the secret of the first answer. All attempts of a delivery have the same `id`.',
    params: VariantPath,
    body: NewDynamicAddress,
    example: { url: 'https://keys.example.com/new' },
    response: z.object({ dynamic: SetDynamicAddress }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    ask: ({ context, body }) => vetAddress(context, body),
    handle: async ({ context, params, body }) => ({
      dynamic: await setAddress(context, params.id, params.variant_id, body),
    }),
  }),
]
