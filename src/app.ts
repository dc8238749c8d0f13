import type { Logger } from 'pino'
import { type Origin, SYSTEM } from './audit/origin.ts'
import { openTrail } from './audit/trail.ts'
import type { Config } from './config/config.ts'
import type { Db } from './db/database.ts'
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
  /** The actor of changes; the system if omitted. */
  origin?: Origin
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
    emit: (tx, events) => app.ledger.record(tx, store, now, events),
    emitTest: (tx, event) => app.ledger.recordTest(tx, store, now, event),
  }
}
