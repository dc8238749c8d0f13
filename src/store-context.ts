import type { AuditRecorder } from './audit/trail.ts'
import type { Db, Tx } from './db/database.ts'
import type { NewEvent } from './events/ledger.ts'
import type { Caches } from './kernel/caches.ts'
import type { Language } from './kernel/language.ts'
import type { Occurrences } from './kernel/process-meter.ts'
import type { Vault } from './kernel/vault.ts'
import type { Storage } from './storage/storage.ts'

/** The features that a store can turn on and off, with their defaults. */
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
  /** The days after completion after which the store creates a missing review; null for never. */
  auto_review_days: number | null
  /** The days after completion during which a return can be requested. */
  return_window_days: number
  /** The IANA name of the seller's time zone, which defines days and months. */
  time_zone: string
  /** The name of the sender of mail; null for the name of the store. */
  mail_from_name: string | null
  /** The language of mail about orders that name none. */
  language: Language
  /** True if buyers of orders that were made with an API key get mail too (decision 106). */
  mail_api_orders: boolean
  clock_offset_ms: number
  /** The names of the connected payment providers. */
  payment_providers: string[]
  created_at: string
}

/**
 * The context of a call, which every use case takes as an argument. `db` is the transaction of the
 * caller if there is one, so `inTransaction(context.db, …)` joins it.
 */
export interface StoreContext {
  db: Db
  vault: Vault
  storage: Storage
  /** The caches of the process. Clear them after a commit that changed a cached record. */
  caches: Caches
  /** The public URL, without a trailing slash. */
  publicUrl: string
  store: Store
  /** The store time of this call, ISO 8601 (decision 41). */
  now: string
  /** Hosts that may receive webhooks over http and at private addresses (decision 15). */
  allowedHosts: ReadonlySet<string>
  /** The API of the payment provider Stripe, without a path. */
  stripeUrl: string
  /** The audit event of this call (decision 124). */
  audit: AuditRecorder
  /** Clears the caches after the commit. Call it after a change of the store's row, or of another cached record. */
  clearCachesAfterCommit(tx: Tx): void
  /** Counts occurrences after the commit, for the metrics. */
  count<Kind extends keyof Occurrences>(
    tx: Tx,
    kind: Kind,
    value: Occurrences[Kind],
    times?: number,
  ): void
  /** Records events, in the transaction of the change. */
  emit(tx: Tx, events: readonly NewEvent[]): Promise<void>
  /** Records an event for a test of one endpoint, which other endpoints do not get. Returns its number. */
  emitTest(tx: Tx, event: NewEvent): Promise<number>
}

/** Returns the machine time of this call in Unix milliseconds, for signatures and proofs (decision 41). */
export const machineNow = ({ now, store }: Pick<StoreContext, 'now' | 'store'>): number =>
  Date.parse(now) - store.clock_offset_ms
