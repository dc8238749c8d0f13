import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination, PathId } from '../../../kernel/shapes.ts'
import { createCoupon } from './create-coupon.ts'
import { deleteCoupon } from './delete-coupon.ts'
import {
  Coupon,
  CouponCheck,
  CouponPatch,
  CouponQuery,
  CouponVerdict,
  NewCoupon,
} from './schema.ts'
import { getCoupon, listCoupons } from './show-coupons.ts'
import { updateCoupon } from './update-coupon.ts'
import { validateCoupon } from './validate-coupon.ts'

const CouponPath = z.object({ id: PathId.describe('The id of the coupon.') })
const OneCoupon = z.object({ coupon: Coupon })

export const couponEndpoints = [
  endpoint({
    id: 'coupons.list',
    method: 'GET',
    path: '/coupons',
    permission: 'coupons:read',
    summary: 'List coupons, the newest first.',
    description: '`total` is exact up to 10,000; `has_more` is always exact.',
    query: CouponQuery,
    response: z.object({
      coupons: z.array(Coupon).describe('A page of coupons.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listCoupons(context, query),
  }),
  endpoint({
    id: 'coupons.create',
    method: 'POST',
    path: '/coupons',
    permission: 'coupons:write',
    summary: 'Create a coupon.',
    body: NewCoupon,
    example: { code: 'SPRING', type: 'percentage', discount_percent: 15, max_uses: 100 },
    status: 201,
    response: OneCoupon,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'coupon.create', object: 'coupon' },
    handle: async ({ context, body }) => ({ coupon: await createCoupon(context, body) }),
  }),
  endpoint({
    id: 'coupons.validate',
    method: 'POST',
    path: '/coupons/validate',
    permission: 'coupons:read',
    audit: 'nothing',
    summary: 'Check a coupon for an order, and get its discount.',
    description:
      'The check does not count a use and does not reserve one. Other orders may use the coupon up before your order is created.',
    body: CouponCheck,
    example: { code: 'SPRING', items: [{ product_id: 'a1B2c3D4e5F6', quantity: 2 }] },
    response: CouponVerdict,
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, body }) => validateCoupon(context, body),
  }),
  endpoint({
    id: 'coupons.get',
    method: 'GET',
    path: '/coupons/:id',
    permission: 'coupons:read',
    summary: 'Get a coupon.',
    params: CouponPath,
    response: OneCoupon,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ coupon: await getCoupon(context, params.id) }),
  }),
  endpoint({
    id: 'coupons.update',
    method: 'PATCH',
    path: '/coupons/:id',
    permission: 'coupons:write',
    summary: 'Update a coupon. Absent fields keep their values; null clears a field.',
    description: 'Orders that use the coupon keep their discount.',
    params: CouponPath,
    body: CouponPatch,
    example: { active: false },
    response: OneCoupon,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'coupon.update', object: 'coupon' },
    handle: async ({ context, params, body }) => ({
      coupon: await updateCoupon(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'coupons.delete',
    method: 'DELETE',
    path: '/coupons/:id',
    permission: 'coupons:write',
    summary: 'Delete a coupon.',
    description: 'Orders that use the coupon keep their discount.',
    params: CouponPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted coupon.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'coupon.delete', object: 'coupon' },
    handle: ({ context, params }) => deleteCoupon(context, params.id),
  }),
]
