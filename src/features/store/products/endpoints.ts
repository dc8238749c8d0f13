import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination, ProductRef } from '../../../kernel/shapes.ts'
import { createProduct } from './create-product.ts'
import { deleteProduct } from './delete-product.ts'
import { duplicateProduct } from './duplicate-product.ts'
import { ListedProduct, NewProduct, ProductPatch, ProductQuery, ProductSections } from './schema.ts'
import { getProduct, listProducts } from './show-product.ts'
import { updateProduct } from './update-product.ts'
import { variantEndpoints } from './variant-endpoints.ts'

const params = z.object({ id: ProductRef })

export const productEndpoints = [
  endpoint({
    id: 'products.list',
    method: 'GET',
    path: '/products',
    permission: 'products:read',
    summary: 'List products.',
    description:
      '`total` is exact up to 10,000, and beyond it for a category, or for filters by status, visibility, `active`, type and kind. `has_more` is always right.',
    query: ProductQuery,
    response: z.object({
      products: z.array(ListedProduct).describe('A page of products.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listProducts(context, query),
  }),
  endpoint({
    id: 'products.create',
    method: 'POST',
    path: '/products',
    permission: 'products:write',
    summary: 'Create a product with its sections and variants.',
    description:
      'Without `variants` one is created: "Default", with the price and type of the product.',
    body: NewProduct,
    example: { name: 'Photo editor', price_cents: 1999 },
    status: 201,
    response: ProductSections,
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, body }) => createProduct(context, body),
  }),
  endpoint({
    id: 'products.get',
    method: 'GET',
    path: '/products/:id',
    permission: 'products:read',
    summary: 'Get a product with all its sections.',
    params,
    response: ProductSections,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => getProduct(context, params.id),
  }),
  endpoint({
    id: 'products.update',
    method: 'PATCH',
    path: '/products/:id',
    permission: 'products:write',
    summary: 'Update a product. Fields you leave out keep their value; null clears.',
    description: 'A changed `price_cents` is the price of the default variant too.',
    params,
    body: ProductPatch,
    example: { price_cents: 1499, details: { short_description: 'Now with layers.' } },
    response: ProductSections,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => updateProduct(context, params.id, body),
  }),
  endpoint({
    id: 'products.delete',
    method: 'DELETE',
    path: '/products/:id',
    permission: 'products:write',
    summary: 'Delete a product. Orders keep its name; its slug and SKUs are free again.',
    params,
    response: z.object({ ...Deleted, id: z.string().describe('The product hash.') }),
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => deleteProduct(context, params.id),
  }),
  endpoint({
    id: 'products.duplicate',
    method: 'POST',
    path: '/products/:id/duplicate',
    permission: 'products:write',
    summary: 'Create a draft copy of a product.',
    description:
      'Texts, prices, options, categories and media are copied; keys, stock, files and SKUs are not.',
    params,
    status: 201,
    response: ProductSections,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => duplicateProduct(context, params.id),
  }),
  ...variantEndpoints,
]
