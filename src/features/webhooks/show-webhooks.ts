import type { CreatedPeriod } from '../../db/created.ts'
import { eventId, parseEventId } from '../../events/event-id.ts'
import { EVENT_TYPES, PUBLIC_EVENTS } from '../../events/types.ts'
import { requireRecord } from '../../kernel/errors.ts'
import { type Page, pagination } from '../../kernel/page.ts'
import { DAY_MS, iso } from '../../kernel/time.ts'
import type { StoreContext } from '../../store-context.ts'
import * as q from './queries/index.ts'
import type { ListedDelivery, Webhook } from './schema.ts'

const STATS_MS = 7 * DAY_MS

/** Lists webhook endpoints with their statistics of the past 7 days. */
export async function listWebhooks({ db, store, now }: StoreContext, page: Page & CreatedPeriod) {
  const from = iso(Date.parse(now) - STATS_MS)
  const { webhooks, total } = await q.selectWebhooks(db, store.id, { from, ...page })
  return { webhooks, pagination: pagination(page, total) }
}

export async function getWebhook({ db, store }: StoreContext, id: string): Promise<Webhook> {
  return requireRecord(await q.selectWebhook(db, store.id, id), 'Endpoint')
}

/** Lists the event types in the order of the specification. */
export const listEventTypes = () => ({
  types: EVENT_TYPES.map((type) => ({ type, description: PUBLIC_EVENTS[type].description })),
})

/** Lists deliveries, newest first. */
export async function listDeliveries({ db, store }: StoreContext, query: q.LogQuery) {
  const event = query.event_id === undefined ? undefined : parseEventId(query.event_id)
  const { deliveries, total } = await q.selectLog(db, store.id, query, event)
  return { deliveries: deliveries.map(toListedDelivery), pagination: pagination(query, total) }
}

export const toListedDelivery = ({ event, ...row }: q.LoggedDelivery): ListedDelivery => ({
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
