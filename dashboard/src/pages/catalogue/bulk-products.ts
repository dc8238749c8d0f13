import { storeRequest } from '../../api/action.ts'
import type { ListedProduct } from '../../api/store.ts'
import type { BulkAction } from '../../kit/bulk.ts'
import { bulkCatalogue } from '../../text/bulk-catalogue.ts'

/** The actions on several products. */
export const PRODUCT_ACTIONS: readonly BulkAction<ListedProduct>[] = [
  {
    title: bulkCatalogue.publish,
    lead: bulkCatalogue.publishLead,
    appliesTo: ({ status }) => status !== 'active',
    request: ({ id }) => storeRequest('products', 'update', id, { status: 'active' }),
  },
  {
    title: bulkCatalogue.archive,
    lead: bulkCatalogue.archiveLead,
    isDanger: true,
    appliesTo: ({ status }) => status !== 'archived',
    request: ({ id }) => storeRequest('products', 'update', id, { status: 'archived' }),
  },
]
