import { useRead } from '../../api/store.ts'

/**
 * Reads the discounts that the coupons of a page gave. Each row calls this with the ids of the whole page, so
 * that all rows share one request.
 */
export const useTotalDiscounts = (ids: readonly number[]) =>
  useRead(
    ['coupons', 'amounts', ids],
    async (store) => {
      const query = { coupon_ids: ids.join(',') }
      const answer = await store.readDashboard<'coupons.amounts'>('/coupon-amounts', query)
      return new Map(answer.amounts.map((item) => [item.coupon_id, item.given_cents]))
    },
    { enabled: ids.length > 0 },
  )
