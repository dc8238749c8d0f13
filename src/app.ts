import type { Logger } from 'pino'
import { type Origin, SYSTEM } from './audit/origin.ts'
import { openAuditRecorder } from './audit/trail.ts'
import type { Config } from './config/config.ts'
import { afterCommit, type Db, type Expression, type Tx } from './db/database.ts'
import type { Invariant } from './db/invariant.ts'
import type { SealedColumn } from './db/sealed-column.ts'
import type { Writes } from './db/writes.ts'
import type { Ledger } from './events/ledger.ts'
import type { Caches } from './kernel/caches.ts'
import type { ProcessMeter } from './kernel/process-meter.ts'
import type { PartReport } from './kernel/system-parts.ts'
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
  /** Counts what this process does. */
  meter: ProcessMeter
  storage: Storage
  /** Background jobs; empty in a process that runs none. */
  jobs: readonly Job[]
  /** The parts of features that run when the clock of a test side is moved. */
  clockFollowers: readonly ClockFollower[]
  /** The invariants of the data, which `doctor` checks. */
  invariants: readonly Invariant[]
  /** The checks of `doctor` that ask other servers, or look at the setup. */
  inspections: readonly ((app: App) => Promise<Inspection[]>)[]
  /** The states of features that the page System shows, read at each call. */
  parts: readonly ((context: StoreContext) => Promise<PartReport[]>)[]
  /** The columns that a rotation of the secrets key seals again. */
  sealedColumns: readonly SealedColumn[]
  /** The commits of this process. */
  writes: Writes
  /** The actor of changes; the system if omitted. */
  origin?: Origin
}

/** The result of a check of `doctor`. One that is `ok` and has a cure is a warning. */
export interface Inspection {
  /** The name of the check. */
  check: string
  ok: boolean
  detail: string
  /** The remedy; null if none is needed. */
  cure: string | null
}

/** Background work, as data. A run may be repeated or interrupted. */
export interface Job {
  name: string
  /** Handles a batch of due rows. Returns true if more may be due; it then runs again at once. */
  run(app: App): Promise<boolean>
  /** Waits for work that `run` started and did not wait for. The runner stops only after it. */
  finish?(): Promise<void>
  /**
   * An SQL expression of the machine time at which the next row is due, or null if there is none. A job
   * without it runs at its interval.
   */
  due?: Expression
  every_ms?: number
  /** The shorter interval after a commit of this process that changed rows. */
  afterWrites_ms?: number
  /** The part of the job that runs when the clock of a test side is moved. */
  clock?: ClockFollower
}

/** The part of a feature in moving a store's clock (decision 51). */
export interface ClockFollower {
  /** Returns the time at which the next work is due, by the store's clock. */
  nextDue?(app: App, store: Store): Promise<string | undefined>
  /** Runs all work that is due. */
  runDue?(app: App, move: ClockMove): Promise<void>
  /** Waits for running work during which the clock must not change. */
  beforeStep?(app: App, move: ClockMove): Promise<void>
  /** Moves due times that are stored in machine time, in the transaction of a step. */
  step?(tx: Tx, storeId: number, step_ms: number): Promise<void>
  /** Runs once, when the clock has reached its new time. */
  finish?(app: App, store: Store): Promise<void>
}

/** A store's clock that is being moved. */
export interface ClockMove {
  store: Store
  /** The longest wait for other work that makes no progress. */
  stallTimeout_ms: number
  /** Aborts when the caller has disconnected. */
  signal: AbortSignal
  /** Creates the error that ends the move. The message names the time that the clock has reached. */
  stopError(reason: string): Error
}

/** Returns the current store time. The clock of a test side may be ahead (decision 41). */
export const storeNow = (app: Pick<App, 'clock'>, store: Pick<Store, 'clock_offset_ms'>): string =>
  iso(app.clock.now() + store.clock_offset_ms)

/** Returns the context of a store on a database or a transaction. */
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
    stripeUrl: app.config.stripeUrl,
    audit: openAuditRecorder(store.id, now, app.origin ?? SYSTEM),
    clearCachesAfterCommit: (tx) => afterCommit(tx, () => app.caches.clear()),
    count: (tx, kind, value, times) => afterCommit(tx, () => app.meter.count(kind, value, times)),
    emit: (tx, events) => app.ledger.record(tx, store, now, events),
    emitTest: (tx, event) => app.ledger.recordTest(tx, store, now, event),
  }
}
