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
      '`total` is exact up to 10,000. For a category alone, or for filters by status, visibility, `active`, type and kind, it is exact beyond that too. `has_more` is always exact.',
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
      'Without `variants`, a variant "Default" is created with the price and type of the product. If the fields are absent, the product is of the type `serial` and the kind `single`, `active` and `public`, so it is on sale as soon as it has stock. A product of the type `license` needs no stock: each sale creates a key by the license policy of the variant.',
    body: NewProduct,
    example: { name: 'Photo editor', price_cents: 1999 },
    status: 201,
    response: ProductSections,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'product.create', object: 'product' },
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
    summary: 'Update a product. Absent fields keep their values; null clears a field.',
    description: 'A new `price_cents` also becomes the price of the default variant.',
    params,
    body: ProductPatch,
    example: { price_cents: 1499, details: { short_description: 'Now with layers.' } },
    response: ProductSections,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'product.update', object: 'product' },
    handle: ({ context, params, body }) => updateProduct(context, params.id, body),
  }),
  endpoint({
    id: 'products.delete',
    method: 'DELETE',
    path: '/products/:id',
    permission: 'products:write',
    summary: 'Delete a product. Its orders keep its name. Its slug and SKUs can be used again.',
    params,
    response: z.object({ ...Deleted, id: z.string().describe('The product hash.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'product.delete', object: 'product' },
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
    audit: { action: 'product.duplicate', object: 'product' },
    handle: ({ context, params }) => duplicateProduct(context, params.id),
  }),
  ...variantEndpoints,
]
