import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { errorForLog } from '../../../kernel/error-for-log.ts'
import { iso } from '../../../kernel/time.ts'
import type { AnsweredCall } from './answered-call.ts'
import { BODY_BYTES_MAX, bodyOf, codeIn, sealDetails } from './call-details.ts'
import { isHarmless } from './harmless-query.ts'
import { maskPath, maskText } from './mask.rules.ts'
import * as q from './queries.ts'
import { createUseCounter } from './use-counter.ts'

/** Collects the calls of this process in memory and writes them in batches (decision 295). */
export interface CallLog {
  add(call: AnsweredCall): void
  /** The number of calls that were not logged because there were too many. */
  dropped(): number
  flush(): Promise<void>
}

/** The limits of calls, and of bytes of their bodies, between two flushes. A flush runs every second. */
const CALLS_MAX = 200
const BYTES_MAX = 2 * 1024 * 1024
/** The number of calls that are masked before other work of the event loop runs. */
const CALLS_PER_TURN = 10
const PATH_MAX = 1_000
const USER_AGENT_MAX = 200

export function createCallLog(app: App): CallLog {
  const uses = createUseCounter(app)
  let calls: AnsweredCall[] = []
  let bytes = 0
  let droppedCount = 0
  let lastFlush: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (calls.length === 0) return
    const batch = calls
    calls = []
    bytes = 0
    const rows: q.CallRow[] = []
    for (const [index, call] of batch.entries()) {
      if (index % CALLS_PER_TURN === CALLS_PER_TURN - 1) await nextTurn()
      const row = rowUnlessFailed(call)
      if (row) rows.push(row)
    }
    await q.insertCalls(app.db, rows)
  }

  /** A call that cannot be written must not take the others of its second with it. */
  function rowUnlessFailed(call: AnsweredCall): q.CallRow | undefined {
    try {
      return rowOf(app, call)
    } catch (error) {
      droppedCount++
      app.log.error({ err: errorForLog(error), call: call.request_id }, 'A call was not logged.')
      return undefined
    }
  }

  return {
    add(call) {
      uses.count(call)
      const size = (call.request?.length ?? 0) + (call.response?.length ?? 0)
      if (calls.length >= CALLS_MAX || bytes + size > BYTES_MAX) {
        droppedCount++
        return
      }
      calls.push(call)
      bytes += size
    },
    dropped: () => droppedCount,
    flush() {
      const flush = lastFlush.then(write).then(uses.write)
      lastFlush = flush.catch(() => {})
      return flush
    },
  }
}

function rowOf({ vault }: Pick<App, 'vault'>, call: AnsweredCall): q.CallRow {
  const { store_id, request_id, api_key_id, api, method, status, address } = call
  // Cut before it is masked, so that masking takes no longer for a longer path.
  const path = maskPath(call.path.slice(0, PATH_MAX), (name, value) =>
    isHarmless(call.endpoint?.query, name, value),
  )
  const request = bodyOf(call.request, call.request_bytes)
  const response = bodyOf(call.response, call.response_bytes)
  const details = {
    user_agent: maskText(call.user_agent.slice(0, USER_AGENT_MAX)),
    idempotency_key: call.has_idempotency_key,
    request_body: request.body,
    response_body: response.body,
    masked: path.changed || request.isMasked || call.path.length > PATH_MAX,
  }
  return {
    ...{ store_id, request_id, api_key_id, api, method, status, address },
    created_at: iso(call.answered_ms),
    operation: call.endpoint?.id ?? null,
    path: path.value,
    error_code: status >= 400 ? codeIn(response.body.content) : null,
    duration_ms: Math.round(call.duration_ms),
    details_enc: sealDetails(vault, store_id, request_id, details),
  }
}

/** Returns the body if it is small enough for the log. */
export const loggedBody = <T extends Buffer | string>(body: T, bytes: number): T | undefined =>
  bytes <= BODY_BYTES_MAX ? body : undefined
