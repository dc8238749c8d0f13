import type { StoreContext } from '../../api/store.ts'
import { Consequence } from '../../kit/consequence.tsx'
import { formatNumber } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'

/** The states of subscriptions that are renewed. */
export const LIVE = ['trialing', 'active', 'past_due'] as const

interface Owner {
  customer_email?: string
  product_id?: string
}

/** Counts the live subscriptions of a customer or a product. */
export async function countLive({ api }: StoreContext, owner: Owner): Promise<number> {
  const { pagination } = await api.subscriptions.list({ ...owner, status: [...LIVE], limit: 1 })
  return pagination.total
}

/** Says how many subscriptions the erasure of a customer or the deletion of a product ends. */
export const EndedSubscriptions = ({ owner, text }: { owner: Owner; text: string }) => (
  <Consequence
    queryKey={['subscriptions', 'live', owner]}
    read={(store) => countLive(store, owner)}
  >
    {(count) => fill(text, { subscriptions: formatNumber(count) })}
  </Consequence>
)
