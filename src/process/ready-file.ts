import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { App } from '../app.ts'
import { asStore, selectStores } from '../features/installation/index.ts'
import { selectDefaultPublicIds } from '../features/licensing/index.ts'
import { type OpenedSide, sideOf } from '../features/store/index.ts'
import { VERSION } from '../kernel/version.ts'

export interface Ready {
  pid: number
  version: string
  database: 'embedded' | 'server'
  store_api?: string
  security_api?: string
  dashboard?: string
  stores: OpenedSide[]
}

/**
 * The content of the ready file, which scripts read. It contains keys only on the start that
 * created them.
 */
export async function describeReady(
  app: App,
  url: string | undefined,
  created: readonly OpenedSide[],
): Promise<Ready> {
  const database = app.config.databaseUrl ? 'server' : 'embedded'
  const head = { pid: process.pid, version: VERSION, database } as const
  if (url === undefined) return { ...head, stores: [] }
  const publicIds = await selectDefaultPublicIds(app.db)
  const stores = (await selectStores(app.db)).map(
    (row) =>
      created.find((side) => side.id === row.hash) ?? sideOf(asStore(row), publicIds.get(row.id)),
  )
  const addresses = {
    store_api: `${url}/v1`,
    security_api: `${url}/security/v1`,
    dashboard: `${url}/dashboard`,
  }
  return { ...head, ...addresses, stores }
}

/** Written atomically, and readable by the owner only. */
export async function writeReadyFile(file: string, ready: Ready): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.tmp`
  await writeFile(draft, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/** Removes our file; leaves that of a process that replaced us. */
export async function removeReadyFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text && JSON.parse(text).pid === process.pid) await rm(file, { force: true })
}
