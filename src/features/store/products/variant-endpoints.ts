import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { NewOrderOf } from '../../../kernel/order.ts'
import { Deleted, PathId, ProductRef } from '../../../kernel/shapes.ts'
import { createVariant } from './create-variant.ts'
import { deleteVariant } from './delete-variant.ts'
import { orderVariants } from './order-variants.ts'
import { getDimensions, setDimensions } from './set-dimensions.ts'
import { getVariant, listVariants } from './show-variants.ts'
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
const VariantPath = ProductPath.extend({ variant_id: PathId.describe('The variant.') })

const OneVariant = z.object({ variant: Variant.describe('The variant.') })
const AllVariants = z.object({
  variants: z.array(Variant).describe('All variants of the product, by sort order.'),
})
const VariantDimensions = z.object({
  shipping_dimensions: Dimensions.describe('How big one unit is.'),
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
    description: "Without a price it has the product's price; without a position it is the last.",
    params: ProductPath,
    body: NewVariant,
    example: { name: 'Family', price_cents: 2999, option_values: ['5 seats'] },
    status: 201,
    response: OneVariant,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => createVariant(context, params.id, body),
  }),
  endpoint({
    id: 'variants.order',
    method: 'PUT',
    path: '/products/:id/variants/order',
    permission: 'products:write',
    summary: 'Put the variants of a product in another order.',
    params: ProductPath,
    body: NewOrderOf(VARIANTS_MAX).meta({ id: 'NewVariantOrder' }),
    example: { ids: [12, 11] },
    response: AllVariants,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => orderVariants(context, params.id, body.ids),
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
    summary: 'Update a variant. Fields you leave out keep their value; null clears.',
    description: 'The price of the default variant is the price of the product too.',
    params: VariantPath,
    body: VariantPatch,
    example: { price_cents: 2499, compare_at_cents: 2999 },
    response: OneVariant,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) =>
      updateVariant(context, params.id, params.variant_id, body),
  }),
  endpoint({
    id: 'variants.delete',
    method: 'DELETE',
    path: '/products/:id/variants/:variant_id',
    permission: 'products:write',
    summary: 'Delete a variant. The last one of a product stays.',
    description: 'If the default variant is deleted, the first of the others becomes the default.',
    params: VariantPath,
    response: z.object({ ...Deleted, id: z.int().describe('The variant that is gone.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    handle: ({ context, params }) => deleteVariant(context, params.id, params.variant_id),
  }),
  endpoint({
    id: 'variants.get_dimensions',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/shipping-dimensions',
    permission: 'products:read',
    summary: 'Get how big one unit of a variant is.',
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
    summary: 'Say how big one unit of a variant is, for volumetric shipping rates.',
    params: VariantPath,
    body: NewDimensions,
    example: { length_cm: 30, width_cm: 20, height_cm: 5.5 },
    response: VariantDimensions,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) =>
      setDimensions(context, params.id, params.variant_id, body),
  }),
]
