import { eventId, parseEventId } from '../../events/event-id.ts'
import { EVENT_TYPES, PUBLIC_EVENTS } from '../../events/types.ts'
import { found } from '../../kernel/errors.ts'
import { type Page, type Pagination, pagination } from '../../kernel/page.ts'
import { DAY_MS, iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import { type LoggedDelivery, type LogQuery, selectLog } from './queries/log.ts'
import * as q from './queries/webhooks.ts'
import type { ListedDelivery, ListedWebhook, Webhook } from './schema.ts'

const STATS_MS = 7 * DAY_MS

/** A page of endpoints with the statistics of their past 7 days. */
export async function listWebhooks(
  { db, store, now }: StoreContext,
  page: Page,
): Promise<{ webhooks: ListedWebhook[]; pagination: Pagination }> {
  const from = iso(Date.parse(now) - STATS_MS)
  const { webhooks, total } = await q.selectWebhooks(db, store.id, { from, ...page })
  return { webhooks, pagination: pagination(page, total) }
}

export async function getWebhook({ db, store }: StoreContext, id: string): Promise<Webhook> {
  return found(await q.selectWebhook(db, store.id, id), 'Endpoint')
}

/** The event types of the specification, in its order. */
export const listEventTypes = () => ({
  types: EVENT_TYPES.map((type) => ({ type, description: PUBLIC_EVENTS[type].description })),
})

/** A page of the delivery log, newest first. */
export async function listDeliveries(
  { db, store }: StoreContext,
  query: LogQuery,
): Promise<{ deliveries: ListedDelivery[]; pagination: Pagination }> {
  const event = query.event_id === undefined ? undefined : parseEventId(query.event_id)
  const { deliveries, total } = await selectLog(db, store.id, query, event)
  return { deliveries: deliveries.map(asDelivery), pagination: pagination(query, total) }
}

export const asDelivery = ({ event, ...row }: LoggedDelivery): ListedDelivery => ({
  ...row,
  object: 'webhook_delivery',
  event: {
    id: eventId(event.no, event.tag),
    type: event.type,
    test: event.test,
    object_id: event.object_id,
  },
  payload_redacted: false,
})
