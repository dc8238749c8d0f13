import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../../harness.ts'
import type { Program } from './program.ts'
import type { SoakRecord } from './record.ts'

export interface ApiReply {
  status: number
  json: Json
  text: string
}

export interface Call {
  method: string
  /** From `/v1` or `/security/v1` on. */
  path: string
  body?: unknown
  /** Sent instead of `body`, as it is. */
  raw?: string
  idempotencyKey?: string
  /** The name of the sender in messages. */
  label?: string
}

/** Calls of the two APIs; every answer is judged. */
export interface Api {
  isStopped: boolean
  /** One attempt. Undefined if the connection was lost or the program is down. */
  attempt(call: Call): Promise<ApiReply | undefined>
  /** Repeats with the same Idempotency-Key until there is an answer; undefined once the load is over. */
  send(method: string, path: string, body?: unknown): Promise<ApiReply | undefined>
  /** The same, and throws if it is refused. */
  ask(method: string, path: string, body?: unknown): Promise<Json>
  /** Records what an answer may not be. */
  judge(status: number, from: number, what: string): void
  /** Records a connection that was lost without a reason. */
  judgeLoss(error: unknown, from: number, what: string): void
}

const REPEAT_MS = 250
const TIMEOUT_MS = 60_000

export function openApi(record: SoakRecord, program: Program): Api {
  const api: Api = {
    isStopped: false,
    async attempt(call) {
      const { server } = program
      if (!server) return undefined
      const from = Date.now()
      const what = call.label ?? `${call.method} ${call.path}`
      try {
        const response = await fetch(server.origin + call.path, {
          method: call.method,
          headers: headersOf(program, call),
          signal: AbortSignal.timeout(TIMEOUT_MS),
          body: call.raw ?? (call.body === undefined ? null : JSON.stringify(call.body)),
        })
        const text = await response.text()
        api.judge(response.status, from, `${what}: ${text}`)
        return { status: response.status, text, json: jsonOf(text) }
      } catch (error) {
        api.judgeLoss(error, from, what)
        return undefined
      }
    },
    async send(method, path, body) {
      const idempotencyKey = method === 'POST' ? randomUUID() : undefined
      while (!api.isStopped) {
        const reply = await api.attempt({ method, path, body, idempotencyKey })
        const isAgain = reply?.status === 503 || reply?.json.code === 'IDEMPOTENCY_IN_PROGRESS'
        if (reply && !isAgain) return reply
        record.add('repeats')
        await pause(REPEAT_MS)
      }
      return undefined
    },
    async ask(method, path, body) {
      const reply = await api.send(method, path, body)
      if (!reply || reply.status >= 300) {
        throw new Error(`${method} ${path}: ${reply?.status} ${reply?.text}`)
      }
      return reply.json
    },
    judge(status, from, what) {
      record.add(`${Math.floor(status / 100)}xx`)
      if (status < 500) return
      record.add(String(status))
      const faults = record.faultsBetween(from, Date.now())
      if (status === 503 && faults.length > 0) return
      const during = faults.join(', ') || 'no fault'
      record.problem('answers', `${record.elapsed()} ${status} during ${during}: ${what}`)
    },
    judgeLoss(error, from, what) {
      const { name, message, cause } = error as Error & { cause?: { message?: string } }
      // How slow it may be is judged by /healthz, next to a bare server on the same machine.
      if (name === 'AbortError' || name === 'TimeoutError') return record.add('client timeouts')
      record.add('lost connections')
      // The end of a process is noticed a moment after its sockets are.
      setTimeout(() => {
        if (record.wasDown(from, Date.now())) return
        const during = record.faultsBetween(from, Date.now()).join(', ') || 'no fault'
        const why = cause?.message ?? message
        record.problem('connections', `${record.elapsed()} ${what} during ${during}: ${why}`)
      }, REPEAT_MS)
    },
  }
  return api
}

function headersOf(
  { key, store, securityKey }: Program,
  { path, body, raw, idempotencyKey }: Call,
): Record<string, string> {
  const isSecurity = path.startsWith('/security/')
  return {
    ...(isSecurity
      ? { authorization: `Bearer ${securityKey}` }
      : { 'x-api-key': key, 'x-store-hash': store }),
    ...((body ?? raw) !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
