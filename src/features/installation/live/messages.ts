import { eventId } from '../../../events/event-id.ts'
import { permissionsOfRole, type Role } from '../users/index.ts'
import type { LedgerEvent, LiveDelivery } from './queries.ts'
import type { Counts } from './schema.ts'

/** A message of a stream. The number is that of its event in the ledger; `counts` has none. */
export interface Message {
  event: 'order' | 'delivery' | 'counts'
  no?: number
  data: unknown
}

/** The area of the Store API that a role must be able to read (decision 138). */
const AREA = {
  order: 'orders:read',
  delivery: 'webhooks:read',
} as const

const COUNT_AREAS: Readonly<Record<keyof Counts, string>> = {
  orders: 'orders:read',
  tickets: 'tickets:read',
  questions: 'questions:read',
  returns: 'returns:read',
  payouts: 'affiliates:read',
  endpoints: 'webhooks:read',
}

const POSITIONS = 32

/** The first delivery of an event. */
export const firstDeliveryOf = (no: number): number => no * POSITIONS

export const isOrderEvent = ({ type }: Pick<LedgerEvent, 'type'>): boolean =>
  type.startsWith('order.')

export const orderMessage = ({ no, tag, type, object_id, created_at }: LedgerEvent): Message => ({
  event: 'order',
  no,
  data: { event_id: eventId(no, tag), type, order_id: object_id, created_at },
})

export function deliveryMessage({ store_id: _, ...delivery }: LiveDelivery): Message {
  return { event: 'delivery', no: Math.floor(delivery.id / POSITIONS), data: delivery }
}

/** `caught_up` is false if messages were missed that cannot be repeated. */
export const countsMessage = (counts: Counts, caught_up: boolean): Message => ({
  event: 'counts',
  data: { counts, caught_up },
})

/** The message as a role may read it; undefined if it may not. */
export function readableBy(role: Role, message: Message): Message | undefined {
  const permissions = permissionsOfRole(role, 'store')
  if (message.event !== 'counts') return permissions.has(AREA[message.event]) ? message : undefined
  const { counts, caught_up } = message.data as { counts: Counts; caught_up: boolean }
  const shown = Object.entries(counts).filter(([name]) =>
    permissions.has(COUNT_AREAS[name as keyof Counts]),
  )
  return { ...message, data: { counts: Object.fromEntries(shown), caught_up } }
}

/** A message as server-sent event. An id is sent only if it is above the last one. */
export function render({ event, no, data }: Message, lastNo: number): string {
  const id = no !== undefined && no > lastNo ? `id: ${no}\n` : ''
  return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`
}

export const COMMENT = ': alive\n\n'
