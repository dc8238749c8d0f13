import type { AuditTrail } from './audit/trail.ts'
import type { Db, Tx } from './db/database.ts'
import type { NewEvent } from './events/ledger.ts'
import type { Vault } from './kernel/vault.ts'
import type { Storage } from './storage/storage.ts'

/** The features that a store may switch, with their defaults. */
export const FEATURES = { affiliates: false, shipping: true, subscriptions: true } as const
export type Feature = keyof typeof FEATURES

/** One side of a store, live or test. */
export interface Store {
  /** The internal id; the public id is `hash`. */
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
 * The context of a call: its store, database and time. Every use case takes one. `db` is the
 * caller's transaction if there is one, so `inTransaction(context.db, …)` joins it.
 */
export interface StoreContext {
  db: Db
  vault: Vault
  storage: Storage
  /** The public URL, without a trailing slash. */
  publicUrl: string
  store: Store
  /** The store time of this call, ISO 8601 (decision 41). */
  now: string
  /** Hosts that may receive webhooks over http and at private addresses (decision 15). */
  allowedHosts: ReadonlySet<string>
  /** The audit event of this call (decision 124). */
  audit: AuditTrail
  /** Makes this process read stores anew after the commit, because a store's own row changed. */
  storeChanged(tx: Tx): void
  /** Records events, in the transaction of the change. */
  emit(tx: Tx, events: readonly NewEvent[]): Promise<void>
  /** Records a sample without a fan-out, and returns its number. */
  emitTest(tx: Tx, event: NewEvent): Promise<number>
}

/**
 * The machine time of this call, in Unix milliseconds; used for signatures and proofs (decision
 * 41).
 */
export const machineNow = ({ now, store }: Pick<StoreContext, 'now' | 'store'>): number =>
  Date.parse(now) - store.clock_offset_ms
