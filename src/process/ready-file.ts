import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { App } from '../app.ts'
import { selectStores } from '../features/installation/index.ts'
import { selectDefaultPublicIds } from '../features/licensing/index.ts'
import { type StoreSide, toStoreSide } from '../features/store/index.ts'
import { VERSION } from '../kernel/version.ts'

export interface ReadyFile {
  pid: number
  version: string
  database: 'embedded' | 'server'
  store_api?: string
  security_api?: string
  dashboard?: string
  stores: StoreSide[]
}

/**
 * Returns the content of the ready file, which scripts read. It contains keys only at the start that
 * created them.
 */
export async function describeReady(
  app: App,
  url: string | undefined,
  createdStores: readonly StoreSide[],
): Promise<ReadyFile> {
  const database = app.config.databaseUrl ? 'server' : 'embedded'
  const head = { pid: process.pid, version: VERSION, database } as const
  if (url === undefined) return { ...head, stores: [] }
  const publicIds = await selectDefaultPublicIds(app.db)
  const stores = (await selectStores(app.db)).map(
    (store) =>
      createdStores.find((side) => side.id === store.hash) ??
      toStoreSide(store, publicIds.get(store.id)),
  )
  const addresses = {
    store_api: `${url}/v1`,
    security_api: `${url}/security/v1`,
    dashboard: `${url}/dashboard`,
  }
  return { ...head, ...addresses, stores }
}

/** Writes the ready file atomically. Only its owner can read it. */
export async function writeReadyFile(file: string, ready: ReadyFile): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.tmp`
  await writeFile(draft, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/** Removes the ready file of this process. The file of a later process is kept. */
export async function removeReadyFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text && JSON.parse(text).pid === process.pid) await rm(file, { force: true })
}
