import { setImmediate as turn } from 'node:timers/promises'
import type { App } from '../../../app.ts'
import { iso } from '../../../kernel/time.ts'
import { BODY_MAX, bodyOf, codeIn, sealDetails } from './call-details.ts'
import { maskPath, maskText } from './mask.rules.ts'
import * as q from './queries.ts'
import type { SeenCall } from './seen-call.ts'
import { createUseCounter } from './use-counter.ts'

/** The calls of this process, in memory until they are written in a batch (decision 295). */
export interface CallLog {
  add(call: SeenCall): void
  /** Calls that were counted and not kept in full, because there were too many. */
  dropped(): number
  flush(): Promise<void>
}

/**
 * The maximum number of calls in memory between two flushes, which is a second, and the memory for
 * their bodies.
 */
const CALLS_MAX = 200
const BYTES_MAX = 2 * 1024 * 1024
/** Calls whose bodies are masked before other work has its turn. */
const SLICE = 10
const PATH_MAX = 1_000
const USER_AGENT_MAX = 200

export function createCallLog(app: App): CallLog {
  const uses = createUseCounter(app)
  let calls: SeenCall[] = []
  let bytes = 0
  let dropped = 0
  let flushed: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    if (calls.length === 0) return
    const batch = calls
    calls = []
    bytes = 0
    const rows: q.CallRow[] = []
    for (const [at, call] of batch.entries()) {
      if (at % SLICE === SLICE - 1) await turn()
      rows.push(rowOf(app, call))
    }
    await q.insertCalls(app.db, rows)
  }

  return {
    add(call) {
      uses.count(call)
      const size = (call.request?.length ?? 0) + (call.response?.length ?? 0)
      if (calls.length >= CALLS_MAX || bytes + size > BYTES_MAX) {
        dropped++
        return
      }
      calls.push(call)
      bytes += size
    },
    dropped: () => dropped,
    flush() {
      const flushing = flushed.then(write).then(uses.write)
      flushed = flushing.catch(() => {})
      return flushing
    },
  }
}

function rowOf({ vault }: Pick<App, 'vault'>, call: SeenCall): q.CallRow {
  const { store_id, request_id, api_key_id, api, method, status, address } = call
  const path = maskPath(call.path)
  const request = bodyOf(call.request, call.request_bytes)
  const response = bodyOf(call.response, call.response_bytes)
  const details = {
    user_agent: maskText(call.user_agent.slice(0, USER_AGENT_MAX)),
    idempotency_key: call.idempotency_key,
    request_body: request.body,
    response_body: response.body,
    masked: path.changed || request.masked || path.value.length > PATH_MAX,
  }
  return {
    ...{ store_id, request_id, api_key_id, api, method, status, address },
    created_at: iso(call.at),
    operation: call.operation ?? null,
    path: path.value.slice(0, PATH_MAX),
    error_code: status >= 400 ? codeIn(response.body.content) : null,
    duration_ms: Math.round(call.duration_ms),
    details_enc: sealDetails(vault, store_id, request_id, details),
  }
}

/** A body that is small enough to be kept until the flush. */
export const keptBody = <T extends Buffer | string>(body: T, bytes: number): T | undefined =>
  bytes <= BODY_MAX ? body : undefined
