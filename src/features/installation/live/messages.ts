import { eventId } from '../../../events/event-id.ts'
import { permissionsOfRole, type Role } from '../users/index.ts'
import type { LedgerEvent, LiveDelivery } from './queries.ts'
import type { Counts } from './schema.ts'

/** A message of a stream. `no` is the number of its event in the ledger; `counts` has none. */
export interface LiveMessage {
  event: 'order' | 'delivery' | 'counts'
  no?: number
  data: unknown
}

/** The permission that a role needs to read the messages of a kind (decision 138). */
const MESSAGE_PERMISSIONS = {
  order: 'orders:read',
  delivery: 'webhooks:read',
} as const

const COUNT_PERMISSIONS: Readonly<Record<keyof Counts, string>> = {
  orders: 'orders:read',
  to_review: 'orders:read',
  to_deliver: 'orders:read',
  to_ship: 'orders:read',
  disputes: 'orders:read',
  tickets: 'tickets:read',
  questions: 'questions:read',
  returns: 'returns:read',
  payouts: 'affiliates:read',
  endpoints: 'webhooks:read',
}

/** The id of a delivery is the number of its event times 32, plus its position in the event. */
const POSITIONS = 32

/** Returns the lowest id that a delivery of this event can have. */
export const firstDeliveryOf = (eventNo: number): number => eventNo * POSITIONS

export const isOrderEvent = ({ type }: Pick<LedgerEvent, 'type'>): boolean =>
  type.startsWith('order.')

export const orderMessage = ({
  no,
  tag,
  type,
  object_id,
  created_at,
}: LedgerEvent): LiveMessage => ({
  event: 'order',
  no,
  data: { event_id: eventId(no, tag), type, order_id: object_id, created_at },
})

export function deliveryMessage({ store_id, ...delivery }: LiveDelivery): LiveMessage {
  return { event: 'delivery', no: Math.floor(delivery.id / POSITIONS), data: delivery }
}

/** Returns the message of the counts. `caught_up` is false if the browser missed messages that cannot be repeated. */
export const countsMessage = (counts: Counts, caught_up: boolean): LiveMessage => ({
  event: 'counts',
  data: { counts, caught_up },
})

/** Returns the message without the counts that a role may not read, or undefined if it may read nothing. */
export function messageForRole(role: Role, message: LiveMessage): LiveMessage | undefined {
  const permissions = permissionsOfRole(role, 'store')
  if (message.event !== 'counts')
    return permissions.has(MESSAGE_PERMISSIONS[message.event]) ? message : undefined
  const { counts, caught_up } = message.data as { counts: Counts; caught_up: boolean }
  const readableCounts = Object.entries(counts).filter(([name]) =>
    permissions.has(COUNT_PERMISSIONS[name as keyof Counts]),
  )
  return { ...message, data: { counts: Object.fromEntries(readableCounts), caught_up } }
}

/** Renders a server-sent event. The id is omitted unless it is higher than the last sent one. */
export function render({ event, no, data }: LiveMessage, lastNo: number): string {
  const id = no !== undefined && no > lastNo ? `id: ${no}\n` : ''
  return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`
}

export const KEEP_ALIVE = Buffer.from(': alive\n\n')
