import type { Sign } from '../../../kernel/signed-text.ts'
import type { StoreContext } from '../../../store-context.ts'
import { orderToken } from './order-token.rules.ts'

/** Returns the URL of the page of an order, for its buyer. It works as long as the seller does not replace it. */
export function orderUrl(
  context: StoreContext,
  { id, link_version }: { id: string; link_version: number },
): string {
  const { store, publicUrl } = context
  const token = orderToken({ store_id: store.id, id, link_version }, signOrderToken(context))
  return `${publicUrl}/${store.livemode ? 's' : 't'}/${store.slug}/o/${token}`
}

export const signOrderToken =
  ({ vault }: StoreContext): Sign =>
  (text) =>
    vault.hmac('order-page', text)

/** Adds its URL to an order. */
export const withLink = <T extends { id: string; link_version: number }>(
  context: StoreContext,
  order: T,
): T & { order_url: string } => ({ ...order, order_url: orderUrl(context, order) })
