import type { OperationInput } from './operate.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'

/** The size of the demo shop. */
export interface Size {
  days: number
  orders: number
  customers: number
  subscriptions: number
}

export const FULL: Size = { days: 90, orders: 400, customers: 120, subscriptions: 14 }

export interface VariantRef {
  id: number
  name: string
  price_cents: number
}

export interface GoodRef {
  id: string
  key: string
  type: string
  demand: number
  variants: VariantRef[]
}

/** The part of an order that stories read. */
export interface OrderRef {
  id: string
  status: string
  total_cents: number
  customer: { id: number }
  items: { id: number; product_id: string; quantity: number; delivery_type: string }[]
}

/** The store that is being filled, and its known records. */
export interface Trade {
  random: Random
  size: Size
  /** The first moment, and the present. */
  from: number
  until: number
  people: Person[]
  goods: Map<string, GoodRef>
  /** Rates by country; `*` for the others. */
  rates: Map<string, number>
  partners: { id: string; code: string }[]
  /** Webhooks and other addresses may lead to this machine. */
  allowsLoopback: boolean
  /** Does an operation at the moment of the step that runs. */
  call<Answer = unknown>(operation: string, input: OperationInput): Promise<Answer>
  /** Plans a step; one that lies after the present is left out. */
  plan(moment: number, run: () => Promise<unknown>): void
  now(): number
}

export const goodOf = (trade: Trade, key: string): GoodRef => {
  const good = trade.goods.get(key)
  if (!good) throw new Error(`The demo shop has no good ${key}.`)
  return good
}

/** An address of this machine without a receiver. */
export const SILENT_URL = 'http://127.0.0.1:4999/hooks'
