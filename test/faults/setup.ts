import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { type App, storeContextOf } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { inTransaction } from '../../src/db/database.ts'
import { sampleOf } from '../../src/events/samples.ts'
import { createStore } from '../../src/features/installation/stores/index.ts'
import { createWebhook } from '../../src/features/webhooks/create-webhook.ts'
import { openApp } from '../../src/process/open-app.ts'
import type { Store } from '../../src/store-context.ts'
import {
  type FreshDatabase,
  freshDatabase,
  type RealPostgres,
  settingsFor,
} from '../process/real-postgres.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Running,
} from '../process/spawn-server.ts'
import { until } from '../until.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/** KILLS=20 runs the long forms: more rounds, and leases that expire by time. */
export const LONG = process.env.KILLS !== undefined
export const ROUNDS = Number(process.env.KILLS ?? 1)

/** A store whose events are committed by this process, and sent by worker processes that a test can kill. */
export interface Setup {
  app: App
  installation: Installation
  database: FreshDatabase
  store: Store
  receiver: Receiver
  paths: readonly string[]
  /** Commits this many events, in transactions of ten. */
  emit(count: number): Promise<void>
  /** Starts a process that sends. */
  startWorker(): Promise<Running>
  close(): Promise<void>
}

interface SetupOptions {
  postgres: RealPostgres
  paths?: readonly string[]
}

export async function withSetup(
  { postgres, paths = ['/a', '/b', '/c'] }: SetupOptions,
  work: (setup: Setup) => Promise<void>,
): Promise<void> {
  const setup = await openSetup(postgres, paths)
  try {
    await work(setup)
  } finally {
    await setup.close()
  }
}

async function openSetup(postgres: RealPostgres, paths: readonly string[]): Promise<Setup> {
  const database = await freshDatabase(postgres)
  const env = {
    ...settingsFor(database.url),
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  }
  const installation = await createMigratedInstallation(env)
  const receiver = await openReceiver(paths)
  const checked = readConfig({ ...env, DATA_DIR: installation.dataDir })
  if ('faults' in checked) throw new Error(checked.faults.join('\n'))
  const { app, close } = await openApp(checked.config, { log: pino({ level: 'silent' }) })
  const fields = { name: 'Faults', currency: 'EUR', plan: 'self_hosted' }
  const { live: store } = await createStore(app, fields)
  for (const path of paths) {
    const endpoint = { url: receiver.url(path), events: ['*'], description: null, enabled: true }
    const { secret } = await createWebhook(storeContextOf(app, store), endpoint as never)
    receiver.secrets.set(path, secret)
  }
  let workers = 0
  return {
    app,
    installation,
    database,
    store,
    receiver,
    paths,
    emit: (count) => emit(app, store, count),
    startWorker: () => startWorker(installation, ++workers),
    async close() {
      await installation.close()
      await close()
      await receiver.close()
    },
  }
}

const BATCH = 10

async function emit(app: App, store: Store, count: number): Promise<void> {
  // `doctor` checks no record of this event type, so the event needs none.
  const object = sampleOf('product.restocked', store.currency)
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from)
    const event = { type: 'product.restocked', object_id: object.id, object } as const
    await inTransaction(app.db, (tx) =>
      app.ledger.record(tx, store, new Date().toISOString(), new Array(length).fill(event)),
    )
  }
}

async function startWorker(installation: Installation, number: number): Promise<Running> {
  const file = join(installation.dataDir, `worker-${number}.json`)
  const env = { TRADEPOST_ROLE: 'worker', TRADEPOST_READY_FILE: file }
  const worker = installation.spawn(['start'], env)
  let hasEnded = false
  void worker.ended.then(() => {
    hasEnded = true
  })
  await until(async () => {
    if (hasEnded) throw new Error(`A worker did not start:\n${worker.stdout()}\n${worker.stderr()}`)
    const ready = await readFile(file, 'utf8').catch(() => '')
    return ready !== '' && JSON.parse(ready).pid === worker.pid
  })
  return worker
}
