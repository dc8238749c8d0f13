import type { Logger } from 'pino'
import { type Origin, SYSTEM } from './audit/origin.ts'
import { openTrail } from './audit/trail.ts'
import type { Config } from './config/config.ts'
import { afterCommit, type Db, type Expression, type Tx } from './db/database.ts'
import type { Invariant } from './db/invariant.ts'
import type { SealedColumn } from './db/sealed-column.ts'
import type { Writes } from './db/writes.ts'
import type { Ledger } from './events/ledger.ts'
import type { Caches } from './kernel/caches.ts'
import { type Clock, iso } from './kernel/time.ts'
import type { Vault } from './kernel/vault.ts'
import type { Storage } from './storage/storage.ts'
import type { Store, StoreContext } from './store-context.ts'

/** The shared parts of a process, created once. It contains no features. */
export interface App {
  config: Config
  db: Db
  vault: Vault
  ledger: Ledger
  clock: Clock
  caches: Caches
  log: Logger
  storage: Storage
  /** Background jobs; empty in a process that runs none. */
  jobs: readonly Job[]
  /** Handlers that follow the clock of a test side when it is moved. */
  clockFollowers: readonly ClockFollower[]
  /** The invariants of the data, which `doctor` checks. */
  invariants: readonly Invariant[]
  /** The columns that a rotation of the secrets key seals again. */
  sealedColumns: readonly SealedColumn[]
  /** The commits of this process. */
  writes: Writes
  /** The actor of changes; the system if omitted. */
  origin?: Origin
}

/** Background work, as data. A run may be repeated, and may end in the middle. */
export interface Job {
  name: string
  /** Handles a batch of due rows. Returns true if more may be due; it then runs again at once. */
  run(app: App): Promise<boolean>
  /**
   * An SQL expression of the time when the next row is due: a moment of the machine's clock, null
   * if there is none. A job without one runs at its interval.
   */
  due?: Expression
  every_ms?: number
  /** A shorter interval after this process has written. */
  afterWrites_ms?: number
  /** Its part when the clock of a test side is moved. */
  clock?: ClockFollower
}

/** The part of a feature in moving a store's clock (decision 51). */
export interface ClockFollower {
  /** The next moment at which something is due, by the store's clock. */
  nextDue?(app: App, store: Store): Promise<string | undefined>
  /** Does all that is due now. */
  runDue?(app: App, move: ClockMove): Promise<void>
  /** Waits until nothing runs that must not see the clock change. */
  beforeStep?(app: App, move: ClockMove): Promise<void>
  /** Moves due times that are stored by the machine's clock, in the transaction of a step. */
  step?(tx: Tx, storeId: number, step_ms: number): Promise<void>
  /** Runs once, when the clock has arrived. */
  finish?(app: App, store: Store): Promise<void>
}

/** A store's clock that is being moved. */
export interface ClockMove {
  store: Store
  /** The time after which a wait for other work fails if none of that work has ended. */
  patience_ms: number
  /** Aborted when the caller has left. */
  signal: AbortSignal
  /** The error that ends the move, with the time that the clock has reached. */
  stopped(reason: string): Error
}

/** The current store time; a test side's clock may be ahead (decision 41). */
export const storeNow = (app: Pick<App, 'clock'>, store: Pick<Store, 'clock_offset_ms'>): string =>
  iso(app.clock.now() + store.clock_offset_ms)

/** The context of a store on a database: the app's own, or a transaction. */
export function storeContextOf(
  app: App,
  store: Store,
  db: Db = app.db,
  now = storeNow(app, store),
): StoreContext {
  return {
    db,
    vault: app.vault,
    store,
    now,
    storage: app.storage,
    caches: app.caches,
    publicUrl: app.config.publicUrl,
    allowedHosts: app.config.webhookAllowedHosts,
    audit: openTrail(store.id, now, app.origin ?? SYSTEM),
    storeChanged: (tx) => afterCommit(tx, () => app.caches.clear()),
    emit: (tx, events) => app.ledger.record(tx, store, now, events),
    emitTest: (tx, event) => app.ledger.recordTest(tx, store, now, event),
  }
}
