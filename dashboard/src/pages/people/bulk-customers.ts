import { type Request, storeRequest } from '../../api/action.ts'
import type { Customer } from '../../api/store.ts'
import { type BulkAction, NothingToDo } from '../../kit/bulk.ts'
import type { Field } from '../../kit/fields.tsx'
import { bulkCustomers } from '../../text/bulk-customers.ts'

const TAG: Field = { name: 'tag', label: bulkCustomers.tag, required: true }

const withTag = (tags: readonly string[], tag: string) => [...new Set([...tags, tag])]
const withoutTag = (tags: readonly string[], tag: string) => tags.filter((item) => item !== tag)

interface TagChange {
  tag: unknown
  change: (tags: readonly string[], tag: string) => string[]
  /** The reason if the customer has the tags already. */
  unchanged: string
}

/** Changes the tags that the customer has now, which may be others than in the list. */
function tagRequest({ id, tags }: Customer, { tag, change, unchanged }: TagChange): Request {
  const text = String(tag ?? '').trim()
  return {
    ...storeRequest('customers', 'update', id, { tags: change(tags, text) }),
    async send({ api }) {
      const { customer } = await api.customers.get(id)
      const next = change(customer.tags, text)
      if (next.length === customer.tags.length) throw new NothingToDo(unchanged)
      return api.customers.update(id, { tags: next })
    },
  }
}

/** The actions on several customers. An erased customer cannot be changed. */
export const CUSTOMER_ACTIONS: readonly BulkAction<Customer>[] = [
  {
    title: bulkCustomers.addTag,
    lead: bulkCustomers.addTagLead,
    fields: [TAG],
    appliesTo: ({ erased_at }) => erased_at === null,
    request: (customer, { tag }) =>
      tagRequest(customer, { tag, change: withTag, unchanged: bulkCustomers.hasTag }),
  },
  {
    title: bulkCustomers.removeTag,
    lead: bulkCustomers.removeTagLead,
    fields: [TAG],
    appliesTo: ({ erased_at, tags }) => erased_at === null && tags.length > 0,
    request: (customer, { tag }) =>
      tagRequest(customer, { tag, change: withoutTag, unchanged: bulkCustomers.hasNoTag }),
  },
]
