import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { type App, storeContextOf } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { inTransaction } from '../../src/db/database.ts'
import { sampleOf } from '../../src/events/samples.ts'
import { createStore } from '../../src/features/installation/stores/index.ts'
import { createWebhook } from '../../src/features/webhooks/create-webhook.ts'
import { openApp } from '../../src/process/open-app.ts'
import type { Store } from '../../src/store-context.ts'
import { type FreshDatabase, freshDatabase, type RealPostgres } from '../process/real-postgres.ts'
import {
  createMigratedInstallation,
  type Installation,
  type Running,
} from '../process/spawn-server.ts'
import { type Listener, openListener } from './listener.ts'

/** KILLS=20 asks for the long forms: more rounds, and leases that run out by themselves. */
export const LONG = process.env.KILLS !== undefined
export const ROUNDS = Number(process.env.KILLS ?? 1)
export const TIMEOUT_MS = 60_000 + (LONG ? ROUNDS * 60_000 : 0)

const READY_MAX_MS = 30_000
const WAIT_MAX_MS = 45_000
const LOOK_MS = 20

/** A shop whose events are committed here, and are sent by processes that a test may kill. */
export interface Scene {
  app: App
  installation: Installation
  database: FreshDatabase
  store: Store
  listener: Listener
  paths: readonly string[]
  /** Commits so many events, in transactions of ten. */
  emit(count: number): Promise<void>
  /** Starts a process that sends. */
  worker(): Promise<Running>
  close(): Promise<void>
}

interface SceneOptions {
  postgres: RealPostgres
  paths?: readonly string[]
}

export async function withScene(
  { postgres, paths = ['/a', '/b', '/c'] }: SceneOptions,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const scene = await openScene(postgres, paths)
  try {
    await work(scene)
  } finally {
    await scene.close()
  }
}

async function openScene(postgres: RealPostgres, paths: readonly string[]): Promise<Scene> {
  const database = await freshDatabase(postgres)
  const env = {
    DATABASE_URL: database.url,
    TRADEPOST_SECRETS_KEY: randomBytes(32).toString('base64'),
    TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  }
  const installation = await createMigratedInstallation(env)
  const listener = await openListener(paths)
  const checked = readConfig({ ...env, DATA_DIR: installation.dataDir })
  if ('faults' in checked) throw new Error(checked.faults.join('\n'))
  const { app, close } = await openApp(checked.config, { log: pino({ level: 'silent' }) })
  const fields = { name: 'Faults', currency: 'EUR', plan: 'self_hosted' }
  const { live: store } = await createStore(app, fields)
  for (const path of paths) {
    const hook = { url: listener.url(path), events: ['*'], description: null, enabled: true }
    const { secret } = await createWebhook(storeContextOf(app, store), hook as never)
    listener.secrets.set(path, secret)
  }
  let workers = 0
  return {
    app,
    installation,
    database,
    store,
    listener,
    paths,
    emit: (count) => emit(app, store, count),
    worker: () => startWorker(installation, ++workers),
    async close() {
      await installation.close()
      await close()
      await listener.close()
    },
  }
}

const BATCH = 10

async function emit(app: App, store: Store, count: number): Promise<void> {
  // The type has no record that `doctor` would look for.
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
  let ended = false
  void worker.ended.then(() => {
    ended = true
  })
  await until(async () => {
    if (ended) throw new Error(`A worker did not start:\n${worker.stdout()}\n${worker.stderr()}`)
    const ready = await readFile(file, 'utf8').catch(() => '')
    return ready !== '' && JSON.parse(ready).pid === worker.pid
  }, READY_MAX_MS)
  return worker
}

/** Waits for a condition, and names the false one if it takes too long. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  most_ms = WAIT_MAX_MS,
): Promise<void> {
  const end = Date.now() + most_ms
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not happen within ${most_ms} ms: ${holds}`)
    await pause(LOOK_MS)
  }
}
