import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import { newBlobId } from '../../../storage/blob-id.ts'
import { reasonOf, verifyMailServer } from '../mail/index.ts'
import { selectVersion } from './queries.ts'
import type { ServiceConnection } from './schema.ts'

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 5 * SECOND_MS
/** A result is shown for this time before the connections are checked again. */
const FRESH_MS = 60 * SECOND_MS
const REASON_MAX = 500

interface ConnectionCheck {
  checked_ms: number
  connections: Promise<ServiceConnection[]>
}

const latestChecks = new WeakMap<App['caches'], ConnectionCheck>()

/** Returns the state of each connection of the installation, at most a minute old. */
export function checkConnections(app: App): Promise<ServiceConnection[]> {
  const now = app.clock.now()
  const last = latestChecks.get(app.caches)
  if (last && now - last.checked_ms < FRESH_MS && now >= last.checked_ms) return last.connections
  const connections = checkAll(app)
  latestChecks.set(app.caches, { checked_ms: now, connections })
  return connections
}

type Check = Omit<ServiceConnection, 'state' | 'error' | 'checked_at'> & {
  /** Undefined if the connection is not configured. */
  run: (() => Promise<unknown>) | undefined
}

function checkAll(app: App): Promise<ServiceConnection[]> {
  const { config, db, storage } = app
  const { smtp } = config
  const checks: Check[] = [
    {
      name: 'database',
      target: config.databaseUrl ? hostOf(config.databaseUrl) : config.dataDir,
      run: () => selectVersion(db),
    },
    {
      name: 'storage',
      target: config.s3 ? config.s3.bucket : config.dataDir,
      // No file has this id. An answer is enough.
      run: () => storage.sizeOf(newBlobId()),
    },
    {
      name: 'mail',
      target: smtp ? hostOf(smtp.url) : null,
      run: smtp && (() => verifyMailServer(smtp)),
    },
  ]
  return Promise.all(checks.map((check) => runCheck(app, check)))
}

/** The host without the user, the password and the path of a URL. */
const hostOf = (url: string): string => new URL(url).host

async function runCheck(app: App, { run, ...fields }: Check): Promise<ServiceConnection> {
  const toConnection = (
    state: ServiceConnection['state'],
    error: string | null,
  ): ServiceConnection => ({
    ...fields,
    state,
    error,
    checked_at: iso(app.clock.now()),
  })
  if (!run) return toConnection('off', null)
  const timeoutController = new AbortController()
  const timeout = pause(CHECK_TIMEOUT_MS, undefined, { signal: timeoutController.signal }).then(
    () => {
      throw new Error(`No answer within ${CHECK_TIMEOUT_MS / SECOND_MS} seconds.`)
    },
  )
  try {
    await Promise.race([run(), timeout])
    return toConnection('ok', null)
  } catch (error) {
    return toConnection('failed', reasonOf(error as Error).slice(0, REASON_MAX))
  } finally {
    timeoutController.abort()
    timeout.catch(() => {})
  }
}
