import { useRead } from '../../api/store.ts'

/**
 * Reads the pace at which the products of a page sell. Each row of a list calls this with the ids of the whole page,
 * so that all rows share one request.
 */
export const usePaces = (ids: readonly string[]) =>
  useRead(
    ['products', 'paces', ids],
    async (store) => {
      const query = { product_ids: ids.join(',') }
      const answer = await store.readDashboard<'analytics.product_paces'>('/product-paces', query)
      return new Map(answer.paces.map((item) => [item.product_id, item]))
    },
    { enabled: ids.length > 0 },
  )
