import type { z } from 'zod'

/** A call with an API key whose answer was sent. */
export interface AnsweredCall {
  store_id: number
  api_key_id: number
  request_id: string
  /** The time of the answer, in Unix milliseconds. */
  answered_ms: number
  api: 'store' | 'security'
  /** Undefined for an unknown path. */
  endpoint: { id: string; permission: string; query?: z.ZodObject } | undefined
  method: string
  path: string
  status: number
  duration_ms: number
  address: string
  user_agent: string
  has_idempotency_key: boolean
  /** Undefined if the body was not JSON in memory, such as a file. */
  request: Buffer | undefined
  request_bytes: number
  response: string | undefined
  response_bytes: number
}
