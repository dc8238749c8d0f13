import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { ProductRef } from '../../../kernel/shapes.ts'
import {
  DetailsPatch,
  getProduct,
  Method,
  MethodsPatch,
  ProductDetails,
  Seo,
  SeoPatch,
  updateProduct,
} from '../products/index.ts'

const params = z.object({ id: ProductRef })

/** The body is the section itself, so errors name its fields without a path before them. */
const SECTION_PATH = ''

const OneDetails = z.object({ details: ProductDetails.describe('The texts of the product page.') })
const OneSeo = z.object({ seo: Seo.describe('The texts for search engines and link previews.') })
const AllMethods = z.object({
  methods: z.array(Method).describe('The payment methods of the product.'),
})

/** The endpoints of the parts of a product that have paths of their own. */
export const sectionEndpoints = [
  endpoint({
    id: 'details.get',
    method: 'GET',
    path: '/products/:id/details',
    permission: 'products:read',
    summary: "Get the texts of a product's page.",
    params,
    response: OneDetails,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => getProduct(context, params.id),
  }),
  endpoint({
    id: 'details.update',
    method: 'PATCH',
    path: '/products/:id/details',
    permission: 'products:write',
    summary:
      "Update the texts of a product's page. Absent fields keep their values; null clears a field.",
    description: 'Scripts and other active content are removed from HTML.',
    params,
    body: DetailsPatch,
    example: { short_description: 'Now with layers.' },
    response: OneDetails,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'details.update', object: 'product' },
    handle: ({ context, params, body }) =>
      updateProduct(context, params.id, { details: body }, SECTION_PATH),
  }),
  endpoint({
    id: 'seo.get',
    method: 'GET',
    path: '/products/:id/seo',
    permission: 'products:read',
    summary: 'Get the texts of a product for search engines and link previews.',
    params,
    response: OneSeo,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => getProduct(context, params.id),
  }),
  endpoint({
    id: 'seo.update',
    method: 'PATCH',
    path: '/products/:id/seo',
    permission: 'products:write',
    summary:
      'Update the texts for search engines and link previews. Absent fields keep their values; null clears a field.',
    params,
    body: SeoPatch,
    example: { meta_title: 'Photo editor for Linux' },
    response: OneSeo,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'seo.update', object: 'product' },
    handle: ({ context, params, body }) =>
      updateProduct(context, params.id, { seo: body }, SECTION_PATH),
  }),
  endpoint({
    id: 'payment_methods.get',
    method: 'GET',
    path: '/products/:id/payment-methods',
    permission: 'products:read',
    summary: 'Get the payment methods of a product.',
    params,
    response: AllMethods,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => getProduct(context, params.id),
  }),
  endpoint({
    id: 'payment_methods.set',
    method: 'PUT',
    path: '/products/:id/payment-methods',
    permission: 'products:write',
    summary: 'Set the payment methods of a product. Absent methods keep their state.',
    params,
    body: MethodsPatch,
    example: { methods: [{ method: 'crypto', enabled: false }] },
    response: AllMethods,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'payment_method.set', object: 'product' },
    handle: ({ context, params, body }) => updateProduct(context, params.id, body),
  }),
]
