import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import type { Meter } from '../metrics.ts'
import { RECORD_FAILED } from '../outcome-texts.ts'
import { type Result, recordResults } from './record-results.ts'

export interface ResultBuffer {
  add(result: Result): void
  /** Results that are not recorded yet. */
  size(): number
  /** Returns true if the database refuses results now: deliveries might then be sent twice. */
  isBehind(): boolean
  /** Writes what is left. */
  close(): Promise<void>
}

/** A statement of the embedded database holds up the shop's own calls, so there it writes less. */
const BATCH_MAX = { server: 500, embedded: 200 }
const GATHER_MS = 10
const RETRY_MS = 250
/** So often a failure that goes on is told: every ten seconds. */
const TOLD_EVERY = 40
/** At the end: after this time the leases are over anyway, and the attempts are repeated. */
const LAST_RETRIES_MAX = 80

const NOT_KEPT = 'webhook results were not written; these webhooks are sent again'

/** Returns true if the statement timed out and half the batch may succeed. */
const isTooMuch = (batch: readonly Result[], error: unknown): boolean =>
  batch.length > 1 && (error as { code?: string }).code === '57014'

/** A result without what may be at fault: first what the receiver said, then all it answered. */
function withLess({ row, ...result }: Result): Result | undefined {
  if (row.response_body !== null) return { ...result, row: { ...row, response_body: null } }
  if (row.status_code === null && row.duration_ms === null) return undefined
  const error = row.status === 'succeeded' ? null : RECORD_FAILED
  return { ...result, row: { ...row, status_code: null, duration_ms: null, error } }
}

export interface BufferOptions {
  meter: Meter
  /** Called when results were written, and there is room for more. */
  onWritten?: () => void
}

/**
 * Gathers results for a few milliseconds, so that many are written with one commit, one batch after the
 * other: two at once would be smaller, and wait for each other's locks.
 */
export function createResultBuffer(
  { db, log, config }: Pick<App, 'db' | 'log' | 'config'>,
  { meter, onWritten }: BufferOptions,
): ResultBuffer {
  const batch_max = BATCH_MAX[config.databaseUrl ? 'server' : 'embedded']
  let waiting: Result[] = []
  let size = 0
  let flushing: Promise<void> | undefined
  let behind = false
  let closing = false

  async function flush() {
    await pause(GATHER_MS)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batch_max)
      waiting = waiting.slice(batch_max)
      await record(batch)
      size -= batch.length
      onWritten?.()
    }
    flushing = undefined
  }

  async function record(batch: readonly Result[]): Promise<void> {
    // However long it takes: if another worker was faster, the fence refuses what comes late.
    for (let tries = 1; ; tries++) {
      try {
        const started = performance.now()
        const fenced = await recordResults(db, batch)
        const duration_ms = performance.now() - started
        behind = false
        return meter.flushed({ rows: batch.length, fenced, duration_ms })
      } catch (error) {
        if (!isUnavailable(error) || isTooMuch(batch, error)) return split(batch, error)
        const told = { err: error, results: batch.length }
        if (closing && tries >= LAST_RETRIES_MAX) return log.error(told, NOT_KEPT)
        await waitForDatabase(tries, told)
      }
    }
  }

  async function waitForDatabase(tries: number, told: object): Promise<void> {
    behind = true
    const level = tries % TOLD_EVERY === 1 ? 'warn' : 'debug'
    log[level](told, 'webhook results wait for the database')
    await pause(RETRY_MS)
  }

  /** One row that cannot be written must not keep the others from it, and is written with less in it. */
  async function split(batch: readonly Result[], error: unknown): Promise<void> {
    const [only] = batch
    if (batch.length === 1 && only) {
      log.error(
        { err: error, delivery_id: only.row.delivery_id },
        'a webhook result could not be stored',
      )
      const less = withLess(only)
      return less && record([less])
    }
    const middle = Math.ceil(batch.length / 2)
    await record(batch.slice(0, middle))
    await record(batch.slice(middle))
  }

  return {
    add(result) {
      waiting.push(result)
      size++
      flushing ??= flush()
    },
    size: () => size,
    isBehind: () => behind,
    async close() {
      closing = true
      while (flushing) await flushing
    },
  }
}
