import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { list } from '../../../kernel/bounded.ts'
import { LIST_LIMIT_MAX, PathId } from '../../../kernel/shapes.ts'
import { listAmounts } from './show-coupons.ts'

const CouponAmount = z
  .object({
    coupon_id: z.int().describe('The id of the coupon.'),
    given_cents: z.int().describe('The sum of the discounts of its uses, in minor units.'),
  })
  .meta({
    id: 'CouponAmount',
    description: 'The sum of the discounts that a coupon gave on orders.',
  })

/**
 * The amounts of coupons. They have their own operation, because the specification fixes the fields of
 * a coupon.
 */
export const couponAmountEndpoints = [
  endpoint({
    id: 'coupons.amounts',
    method: 'GET',
    path: '/coupon-amounts',
    permission: 'coupons:read',
    summary: 'Get the sums of the discounts that coupons gave on orders.',
    query: z.object({
      coupon_ids: z
        .string()
        .transform((text) => text.split(','))
        .pipe(
          list(PathId, { max: LIST_LIMIT_MAX, error: `Name at most ${LIST_LIMIT_MAX} coupons.` }),
        )
        .meta({ openapi: { type: 'array', items: { type: 'integer' }, minItems: 1 } })
        .describe('The ids of coupons, separated by commas.'),
    }),
    response: z.object({
      amounts: z
        .array(CouponAmount)
        .describe('The amounts, by coupon id. Unknown coupons are left out.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({
      amounts: await listAmounts(context, query.coupon_ids),
    }),
  }),
]
