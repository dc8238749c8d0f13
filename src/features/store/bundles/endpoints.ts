import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { ProductRef } from '../../../kernel/shapes.ts'
import { Bundle, NewBundle } from './schema.ts'
import { getBundle, setBundle } from './set-bundle.ts'

const SHARED = { params: z.object({ id: ProductRef }), response: z.object({ bundle: Bundle }) }

export const bundleEndpoints = [
  endpoint({
    id: 'bundles.get',
    method: 'GET',
    path: '/products/:id/bundle',
    permission: 'products:read',
    summary: 'Get the contents of a bundle.',
    ...SHARED,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ bundle: await getBundle(context, params.id) }),
  }),
  endpoint({
    id: 'bundles.set',
    method: 'PUT',
    path: '/products/:id/bundle',
    permission: 'products:write',
    summary: 'Set the contents of a product of the kind `bundle`.',
    description:
      'An order of the bundle has a line for each variant in it. Each line takes stock of its variant and is delivered separately. The price of the bundle is split over the units in proportion to their prices, so the sum of the lines is the price of the bundle.',
    ...SHARED,
    body: NewBundle,
    example: {
      items: [
        { variant_id: 481, quantity: 1 },
        { variant_id: 482, quantity: 2 },
      ],
    },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'bundle.set', object: 'product' },
    handle: async ({ context, params, body }) => ({
      bundle: await setBundle(context, params.id, body),
    }),
  }),
]
