import { randomUUID } from 'node:crypto'
import type { Json } from '../../harness.ts'
import { elapse } from '../../until.ts'
import type { Program } from './program.ts'
import type { SoakRecord } from './record.ts'

interface ApiReply {
  status: number
  json: Json
  text: string
}

interface Call {
  method: string
  /** The path, which begins with `/v1` or `/security/v1`. */
  path: string
  body?: unknown
  /** The bytes to send instead of `body`. */
  raw?: string
  idempotencyKey?: string
  /** The name of the call in problems. By default it is the method and the path. */
  label?: string
}

/** Calls the Store API and the Client Security API, and records forbidden answers as problems. */
export interface Api {
  isStopped: boolean
  /** Calls once. Returns undefined if the connection was lost or the program is down. */
  attempt(call: Call): Promise<ApiReply | undefined>
  /** Repeats a call with the same Idempotency-Key until it is answered. Returns undefined after the load. */
  send(method: string, path: string, body?: unknown): Promise<ApiReply | undefined>
  /** Calls like `send`, and throws if the call is refused. */
  request(method: string, path: string, body?: unknown): Promise<Json>
  /** Records a problem if the status is a 5xx, unless it is 503 and a fault was active. */
  checkStatus(status: number, from: number, label: string): void
  /** Records a problem if the connection was lost although the program was running. */
  checkLoss(error: unknown, from: number, label: string): void
}

const REPEAT_AFTER_MS = 250
const TIMEOUT_MS = 60_000

export function openApi(record: SoakRecord, program: Program): Api {
  const api: Api = {
    isStopped: false,
    async attempt(call) {
      const { server } = program
      if (!server) return undefined
      const from = Date.now()
      const label = call.label ?? `${call.method} ${call.path}`
      try {
        const response = await fetch(server.origin + call.path, {
          method: call.method,
          headers: headersOf(program, call),
          signal: AbortSignal.timeout(TIMEOUT_MS),
          body: call.raw ?? (call.body === undefined ? null : JSON.stringify(call.body)),
        })
        const text = await response.text()
        api.checkStatus(response.status, from, `${label}: ${text}`)
        return { status: response.status, text, json: jsonOf(text) }
      } catch (error) {
        api.checkLoss(error, from, label)
        return undefined
      }
    },
    async send(method, path, body) {
      const idempotencyKey = method === 'POST' ? randomUUID() : undefined
      while (!api.isStopped) {
        const reply = await api.attempt({ method, path, body, idempotencyKey })
        const isRepeatable = reply?.status === 503 || reply?.json.code === 'IDEMPOTENCY_IN_PROGRESS'
        if (reply && !isRepeatable) return reply
        record.add('repeats')
        await elapse(REPEAT_AFTER_MS)
      }
      return undefined
    },
    async request(method, path, body) {
      const reply = await api.send(method, path, body)
      if (!reply || reply.status >= 300) {
        throw new Error(`${method} ${path}: ${reply?.status} ${reply?.text}`)
      }
      return reply.json
    },
    checkStatus(status, from, label) {
      record.add(`${Math.floor(status / 100)}xx`)
      if (status < 500) return
      record.add(String(status))
      const faults = record.possibleFaults(from, Date.now())
      if (status === 503 && faults.length > 0) return
      const during = faults.join(', ') || 'no fault'
      record.problem('answers', `${record.elapsed()} ${status} during ${during}: ${label}`)
    },
    checkLoss(error, from, label) {
      const { name, message, cause } = error as Error & { cause?: { message?: string } }
      // A slow answer is not a problem here. The probe measures slow answers of /healthz.
      if (name === 'AbortError' || name === 'TimeoutError') return record.add('client timeouts')
      record.add('lost connections')
      // The end of a process is detected a moment after its sockets close.
      setTimeout(() => {
        if (record.wasDown(from, Date.now())) return
        const during = record.possibleFaults(from, Date.now()).join(', ') || 'no fault'
        const reason = cause?.message ?? message
        record.problem('connections', `${record.elapsed()} ${label} during ${during}: ${reason}`)
      }, REPEAT_AFTER_MS)
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
