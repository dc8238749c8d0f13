import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { isUnavailable } from '../../../db/failure.ts'
import type { Meter } from '../metrics.ts'
import { RECORD_FAILED } from '../outcome-texts.ts'
import { type AttemptResult, recordResults } from './record-results.ts'

export interface ResultBuffer {
  add(result: AttemptResult): void
  /** Results that are not recorded yet. */
  size(): number
  /** True while the database refuses results. New attempts must then wait, because they might be sent twice. */
  isFailing(): boolean
  /** Writes the remaining results. */
  close(): Promise<void>
}

/** A long statement of the embedded database delays API calls, so a batch is smaller there. */
const BATCH_MAX = { server: 500, embedded: 200 }
const GATHER_MS = 20
const RETRY_MS = 250
/** The code of a statement that timed out. */
const STATEMENT_CANCELLED = '57014'
/** One warning in this many retries: every ten seconds. */
const WARN_EVERY = 40
/** The retries while closing, for 20 s. An attempt whose result is then lost is repeated after its lease. */
const LAST_RETRIES_MAX = 80

const LOST_RESULTS_TEXT = 'webhook results were not written; these webhooks are sent again'

/** Returns true if the statement timed out, so that half of the batch may succeed. */
const mayBeTooLarge = (batch: readonly AttemptResult[], error: unknown): boolean =>
  batch.length > 1 && (error as { code?: string }).code === STATEMENT_CANCELLED

/** Removes the fields that may have failed the write: first the response body, then all fields of the response. */
function withFewerFields({ row, ...result }: AttemptResult): AttemptResult | undefined {
  if (row.response_body !== null) return { ...result, row: { ...row, response_body: null } }
  if (row.status_code === null && row.duration_ms === null) return undefined
  const error = row.status === 'succeeded' ? null : RECORD_FAILED
  return { ...result, row: { ...row, status_code: null, duration_ms: null, error } }
}

interface BufferOptions {
  meter: Meter
  /** Called after results were written. */
  onWritten?: (results: readonly AttemptResult[]) => void
}

/**
 * Gathers results for a few milliseconds and writes them with one commit. Batches are written one at a
 * time: concurrent batches would be smaller, and wait for each other's locks.
 */
export function createResultBuffer(
  { db, log, config }: Pick<App, 'db' | 'log' | 'config'>,
  { meter, onWritten }: BufferOptions,
): ResultBuffer {
  const batch_max = BATCH_MAX[config.databaseUrl ? 'server' : 'embedded']
  let pendingResults: AttemptResult[] = []
  let size = 0
  let flushing: Promise<void> | undefined
  let isFailing = false
  let isClosing = false

  async function flush() {
    await pause(GATHER_MS)
    while (pendingResults.length > 0) {
      const batch = pendingResults.slice(0, batch_max)
      pendingResults = pendingResults.slice(batch_max)
      await record(batch)
      size -= batch.length
      onWritten?.(batch)
    }
    flushing = undefined
  }

  async function record(batch: readonly AttemptResult[]): Promise<void> {
    // No deadline is needed: if another worker has repeated an attempt, the lease token rejects this result.
    for (let attempt = 1; ; attempt++) {
      try {
        const started_ms = performance.now()
        const droppedResults = await recordResults(db, batch)
        const duration_ms = performance.now() - started_ms
        isFailing = false
        return meter.recordFlush({ rows: batch.length, droppedResults, duration_ms })
      } catch (error) {
        if (!isUnavailable(error) || mayBeTooLarge(batch, error)) return split(batch, error)
        const details = { err: error, results: batch.length }
        if (isClosing && attempt >= LAST_RETRIES_MAX) return log.error(details, LOST_RESULTS_TEXT)
        await waitForDatabase(attempt, details)
      }
    }
  }

  async function waitForDatabase(attempt: number, details: object): Promise<void> {
    isFailing = true
    const level = attempt % WARN_EVERY === 1 ? 'warn' : 'debug'
    log[level](details, 'webhook results wait for the database')
    await pause(RETRY_MS)
  }

  /** Halves a failed batch until the row at fault is alone, and writes that row with fewer fields. */
  async function split(batch: readonly AttemptResult[], error: unknown): Promise<void> {
    const [result] = batch
    if (batch.length === 1 && result) {
      log.error(
        { err: error, delivery_id: result.row.delivery_id },
        'a webhook result could not be stored',
      )
      const reducedResult = withFewerFields(result)
      return reducedResult && record([reducedResult])
    }
    const middle = Math.ceil(batch.length / 2)
    await record(batch.slice(0, middle))
    await record(batch.slice(middle))
  }

  return {
    add(result) {
      pendingResults.push(result)
      size++
      flushing ??= flush()
    },
    size: () => size,
    isFailing: () => isFailing,
    async close() {
      isClosing = true
      while (flushing) await flushing
    },
  }
}
