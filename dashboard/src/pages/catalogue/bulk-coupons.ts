import { storeRequest } from '../../api/action.ts'
import type { Coupon } from '../../api/store.ts'
import type { BulkAction } from '../../kit/bulk.ts'
import { bulkCatalogue } from '../../text/bulk-catalogue.ts'

/** The actions on several coupons. */
export const COUPON_ACTIONS: readonly BulkAction<Coupon>[] = [
  {
    title: bulkCatalogue.stop,
    lead: bulkCatalogue.stopLead,
    isDanger: true,
    appliesTo: ({ active }) => active,
    request: ({ id }) => storeRequest('coupons', 'update', id, { active: false }),
  },
  {
    title: bulkCatalogue.start,
    lead: bulkCatalogue.startLead,
    appliesTo: ({ active }) => !active,
    request: ({ id }) => storeRequest('coupons', 'update', id, { active: true }),
  },
]
