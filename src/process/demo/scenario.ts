import type { OperationInput } from './operate.ts'
import type { DemoPerson } from './people.ts'
import type { Random } from './random.ts'
import type { Programs } from './run-program.ts'

/** The size of the demo shop. */
export interface DemoSize {
  days: number
  orders: number
  customers: number
  subscriptions: number
}

export const FULL_SIZE: DemoSize = { days: 90, orders: 400, customers: 120, subscriptions: 14 }

export interface VariantRef {
  id: number
  name: string
  price_cents: number
}

export interface ProductRef {
  id: string
  key: string
  type: string
  /** The weight with which buyers pick this product. */
  demand: number
  variants: VariantRef[]
}

/** The fields of an order that the plans read. */
export interface OrderRef {
  id: string
  status: string
  total_cents: number
  customer: { id: number }
  items: { id: number; product_id: string; quantity: number; delivery_type: string }[]
}

/** A device with a license, as the program describes it. */
export interface ProgramDevice {
  license_key: string
  ip: string
  device: { fingerprint: string; name: string; platform: string }
}

/** The client program of the shop and its users. */
interface ClientArea {
  programs: Programs
  /** Separate random numbers, so that the orders do not depend on the sessions. */
  random: Random
  app: { id: number; public_id: string; latest_version: string }
  /** The device of each session until now. */
  devices: ProgramDevice[]
}

/** The store that is being filled, with the records that the plans refer to. */
export interface Scenario {
  random: Random
  size: DemoSize
  /** The time of the first record. */
  from: number
  /** The present. */
  until: number
  people: DemoPerson[]
  products: Map<string, ProductRef>
  /** The shipping rates by country, and `*` for other countries. */
  rates: Map<string, number>
  partners: { id: string; code: string }[]
  /** True if orders can be paid at the payment provider `test`. */
  hasTestProvider: boolean
  /** True if webhooks may be sent to this machine. */
  allowsLoopback: boolean
  /** Runs an operation at the time of the current step. */
  call<Answer = unknown>(operation: string, input: OperationInput): Promise<Answer>
  /** Plans a step. Steps after the present are ignored. */
  plan(moment: number, run: () => Promise<unknown>): void
  now(): number
  client: ClientArea
}

export const productOf = (scenario: Scenario, key: string): ProductRef => {
  const product = scenario.products.get(key)
  if (!product) throw new Error(`The demo shop has no product ${key}.`)
  return product
}

/** An address of this machine without a receiver. */
export const SILENT_URL = 'http://127.0.0.1:4999/hooks'
