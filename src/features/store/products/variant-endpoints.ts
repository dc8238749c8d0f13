import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, PathId, ProductRef } from '../../../kernel/shapes.ts'
import { SortedIds } from '../../../kernel/sorted-ids.ts'
import { createVariant } from './create-variant.ts'
import { deleteVariant } from './delete-variant.ts'
import { getDimensions, setDimensions } from './set-dimensions.ts'
import { getVariant, listVariants } from './show-variants.ts'
import { sortVariants } from './sort-variants.ts'
import { updateVariant } from './update-variant.ts'
import {
  Dimensions,
  NewDimensions,
  NewVariant,
  VARIANTS_MAX,
  Variant,
  VariantPatch,
} from './variant-schema.ts'

const ProductPath = z.object({ id: ProductRef })
const VariantPath = ProductPath.extend({ variant_id: PathId.describe('The id of the variant.') })

const OneVariant = z.object({ variant: Variant.describe('The variant.') })
const AllVariants = z.object({
  variants: z.array(Variant).describe('All variants of the product, by sort order.'),
})
const VariantDimensions = z.object({
  shipping_dimensions: Dimensions.describe('The dimensions of one unit.'),
})

export const variantEndpoints = [
  endpoint({
    id: 'variants.list',
    method: 'GET',
    path: '/products/:id/variants',
    permission: 'products:read',
    summary: 'List the variants of a product, by sort order.',
    params: ProductPath,
    response: AllVariants,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => listVariants(context, params.id),
  }),
  endpoint({
    id: 'variants.create',
    method: 'POST',
    path: '/products/:id/variants',
    permission: 'products:write',
    summary: 'Add a variant to a product.',
    description:
      "Without a price the variant has the product's price. Without a position it is the last one.",
    params: ProductPath,
    body: NewVariant,
    example: { name: 'Family', price_cents: 2999, option_values: ['5 seats'] },
    status: 201,
    response: OneVariant,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'variant.create', object: 'product' },
    handle: ({ context, params, body }) => createVariant(context, params.id, body),
  }),
  endpoint({
    id: 'variants.order',
    method: 'PUT',
    path: '/products/:id/variants/order',
    permission: 'products:write',
    summary: 'Sort the variants of a product.',
    params: ProductPath,
    body: SortedIds(VARIANTS_MAX).meta({ id: 'VariantOrderInput' }),
    example: { ids: [12, 11] },
    response: AllVariants,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'variant.order', object: 'product' },
    handle: ({ context, params, body }) => sortVariants(context, params.id, body.ids),
  }),
  endpoint({
    id: 'variants.get',
    method: 'GET',
    path: '/products/:id/variants/:variant_id',
    permission: 'products:read',
    summary: 'Get a variant.',
    params: VariantPath,
    response: OneVariant,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => getVariant(context, params.id, params.variant_id),
  }),
  endpoint({
    id: 'variants.update',
    method: 'PATCH',
    path: '/products/:id/variants/:variant_id',
    permission: 'products:write',
    summary: 'Update a variant. Absent fields keep their values; null clears a field.',
    description: 'A new price of the default variant also becomes the price of the product.',
    params: VariantPath,
    body: VariantPatch,
    example: { price_cents: 2499, compare_at_cents: 2999 },
    response: OneVariant,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'variant.update', object: 'product' },
    handle: ({ context, params, body }) =>
      updateVariant(context, params.id, params.variant_id, body),
  }),
  endpoint({
    id: 'variants.delete',
    method: 'DELETE',
    path: '/products/:id/variants/:variant_id',
    permission: 'products:write',
    summary: 'Delete a variant. The last variant of a product cannot be deleted.',
    description: 'If the default variant is deleted, the first of the others becomes the default.',
    params: VariantPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted variant.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'variant.delete', object: 'product' },
    handle: ({ context, params }) => deleteVariant(context, params.id, params.variant_id),
  }),
  endpoint({
    id: 'variants.get_dimensions',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/shipping-dimensions',
    permission: 'products:read',
    summary: 'Get the dimensions of one unit of a variant.',
    params: VariantPath,
    response: VariantDimensions,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => getDimensions(context, params.id, params.variant_id),
  }),
  endpoint({
    id: 'variants.set_dimensions',
    method: 'PUT',
    path: '/products/:id/variants/:variant_id/shipping-dimensions',
    permission: 'products:write',
    summary: 'Set the dimensions of one unit of a variant, for volumetric shipping rates.',
    params: VariantPath,
    body: NewDimensions,
    example: { length_cm: 30, width_cm: 20, height_cm: 5.5 },
    response: VariantDimensions,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'variant.set_dimensions', object: 'product' },
    handle: ({ context, params, body }) =>
      setDimensions(context, params.id, params.variant_id, body),
  }),
]
