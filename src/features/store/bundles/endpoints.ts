import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { ProductRef } from '../../../kernel/shapes.ts'
import { Bundle, NewBundle } from './schema.ts'
import { getBundle, setBundle } from './set-bundle.ts'

const ofProduct = { params: z.object({ id: ProductRef }), response: z.object({ bundle: Bundle }) }

export const bundleEndpoints = [
  endpoint({
    id: 'bundles.get',
    method: 'GET',
    path: '/products/:id/bundle',
    permission: 'products:read',
    summary: 'Get what a bundle contains.',
    ...ofProduct,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ bundle: await getBundle(context, params.id) }),
  }),
  endpoint({
    id: 'bundles.set',
    method: 'PUT',
    path: '/products/:id/bundle',
    permission: 'products:write',
    summary: 'Set what a product of the kind `bundle` contains.',
    description:
      'An order of the bundle has a line for each variant in it, which takes its own stock and is delivered on its own. The price of the bundle is split over the units in proportion to their prices, so the lines add up to it.',
    ...ofProduct,
    body: NewBundle,
    example: {
      items: [
        { variant_id: 481, quantity: 1 },
        { variant_id: 482, quantity: 2 },
      ],
    },
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, params, body }) => ({
      bundle: await setBundle(context, params.id, body),
    }),
  }),
]
