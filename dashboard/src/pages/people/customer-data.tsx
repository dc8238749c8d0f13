import { type Request, storeRequest } from '../../api/action.ts'
import type { Customer, StoreContext } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { downloadFile } from '../../kit/csv.ts'
import { customers } from '../../text/customers.ts'

const PAGE_SIZE = 100
/** The maximum number of pages of an export, which limits the memory of the page: 10,000 orders of one customer. */
const PAGES_MAX = 100

/** Saves all data of a customer as a JSON file, for a customer who asks for a copy. */
export const DownloadData = ({ customer: { id } }: { customer: Customer }) => (
  <Action
    label={customers.download}
    lead={<p>{customers.downloadLead}</p>}
    submit={customers.download}
    request={(): Request => ({
      ...storeRequest('customers', 'export', id, { limit: PAGE_SIZE }),
      send: (store) => readAllData(store, id),
    })}
    onDone={(data) => {
      const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
      downloadFile(`customer-${id}.json`, file)
    }}
  />
)

/** Reads all pages. Only orders and balance entries are paginated; each page repeats the other records. */
async function readAllData({ api }: StoreContext, id: number) {
  const { page, ...data } = await api.customers.export(id, { limit: PAGE_SIZE })
  let { has_more } = page
  for (let number = 1; has_more && number < PAGES_MAX; number++) {
    const nextPage = await api.customers.export(id, {
      limit: PAGE_SIZE,
      offset: number * PAGE_SIZE,
    })
    data.orders.push(...nextPage.orders)
    data.balance_entries.push(...nextPage.balance_entries)
    has_more = nextPage.page.has_more
  }
  return { ...data, is_complete: !has_more }
}
