import type { AuditTrail } from './audit/trail.ts'
import type { Db, Tx } from './db/database.ts'
import type { NewEvent } from './events/ledger.ts'
import type { Vault } from './kernel/vault.ts'
import type { Storage } from './storage/storage.ts'

/** The features that a store may switch, and whether they are on where it does not say. */
export const FEATURES = { affiliates: false, shipping: true, subscriptions: true } as const
export type Feature = keyof typeof FEATURES

/** One side of a store, live or test, as a use case sees it. */
export interface Store {
  /** Internal; the public id is `hash`. */
  id: number
  account_id: number
  hash: string
  slug: string
  name: string
  livemode: boolean
  currency: string
  plan: string
  features: Record<Feature, boolean>
  order_expiry_minutes: number
  /** Days after completion without a review until the store creates one; null for never. */
  auto_review_days: number | null
  /** Days after completion during which a return can be requested. */
  return_window_days: number
  clock_offset_ms: number
  created_at: string
}

/**
 * The store at work: who asks, with what, and at which moment. Every use case takes one. Its `db` is
 * the caller's transaction where there is one, so `inTransaction(shop.db, …)` joins it.
 */
export interface StoreContext {
  db: Db
  vault: Vault
  storage: Storage
  /** Where customers and sellers reach us, without a slash at its end. */
  publicUrl: string
  store: Store
  /** The moment of this call by the store's clock, ISO 8601 (decision 41). */
  now: string
  /** Hosts that may receive webhooks over http and at private addresses (decision 15). */
  allowedHosts: ReadonlySet<string>
  /** What the audit event of this call says (decision 124). */
  audit: AuditTrail
  /** Records events in the transaction of the change they tell of. */
  emit(tx: Tx, events: readonly NewEvent[]): Promise<void>
  /** Records a sample that nobody is told of by itself, and gives its number. */
  emitTest(tx: Tx, event: NewEvent): Promise<number>
}

/** The machine's time at this call, Unix milliseconds: signatures and proofs follow it (decision 41). */
export const machineNow = ({ now, store }: Pick<StoreContext, 'now' | 'store'>): number =>
  Date.parse(now) - store.clock_offset_ms
