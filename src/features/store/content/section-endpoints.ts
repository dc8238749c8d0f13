import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { ProductRef } from '../../../kernel/shapes.ts'
import {
  Details,
  DetailsPatch,
  getProduct,
  Method,
  MethodsPatch,
  Seo,
  SeoPatch,
  updateProduct,
} from '../products/index.ts'

const params = z.object({ id: ProductRef })

const OneDetails = z.object({ details: Details.describe('Texts of its page.') })
const OneSeo = z.object({ seo: Seo.describe('Texts for search engines and shares.') })
const AllMethods = z.object({ methods: z.array(Method).describe('How it can be paid.') })

/** The sections of a product that can be read and changed by themselves. */
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
    summary: "Update the texts of a product's page. What you leave out stays; null clears.",
    description: 'HTML is cleaned: what could run is removed.',
    params,
    body: DetailsPatch,
    example: { short_description: 'Now with layers.' },
    response: OneDetails,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => updateProduct(context, params.id, { details: body }, ''),
  }),
  endpoint({
    id: 'seo.get',
    method: 'GET',
    path: '/products/:id/seo',
    permission: 'products:read',
    summary: 'Get the texts of a product for search engines and shares.',
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
    summary: 'Update the texts for search engines. What you leave out stays; null clears.',
    params,
    body: SeoPatch,
    example: { meta_title: 'Photo editor for Linux' },
    response: OneSeo,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => updateProduct(context, params.id, { seo: body }),
  }),
  endpoint({
    id: 'payment_methods.get',
    method: 'GET',
    path: '/products/:id/payment-methods',
    permission: 'products:read',
    summary: 'Get how a product can be paid.',
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
    summary: 'Say how a product can be paid. Methods that are not named keep their state.',
    params,
    body: MethodsPatch,
    example: { methods: [{ method: 'crypto', enabled: false }] },
    response: AllMethods,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => updateProduct(context, params.id, body),
  }),
]
