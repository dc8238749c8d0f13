import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { RangeHeaders } from '../storage/range.rules.ts'
import type { StoreContext } from '../store-context.ts'
import { type SessionInput, type Shape, sessionEndpointsOf } from './session-endpoint.ts'

/** The limit that a client program's call counts against, per address or per session. */
type ClientLimit = 'session_starts' | 'validations' | 'session_calls'

/** The app of the calling client program. */
interface CalledApp {
  id: number
  public_id: string
}

interface ClientRequest {
  context: StoreContext
  app: CalledApp
  /** The address of the caller. */
  ip: string | undefined
  /** The header `Client-Nonce`. */
  nonce: string
  /** The entity tag in `If-None-Match`. */
  ifNoneMatch: string | undefined
  /** The headers that ask for a part of a file. */
  rangeHeaders: RangeHeaders
  /** Counts a call with an unknown license key against the caller's address. */
  countUnknownKey(): Promise<void>
  /**
   * Counts a call with an unknown session token against the caller's address, or refuses the call.
   */
  countUnknownToken(): Promise<void>
  /** Counts a call of the session with this token hash, or refuses the call. */
  countSessionCall(token_hash: Buffer): Promise<void>
  /** Counts a use of a record; these counts are written to the database in batches. */
  countUse(kind: 'license_key' | 'string' | 'file', id: number): void
  /** Records which license key read a record. Without a session there is no key. */
  countRead(
    kind: 'string' | 'file' | 'settings',
    id: number,
    session: { key_id: number | null; device_id: number | null } | undefined,
  ): void
  setHeader(name: string, value: string): void
}

/** A client program's call as its handler receives it. `S` is the session type of the runtime. */
export type ClientCall<P, Q, B, S> = ClientRequest & SessionInput<P, Q, B, S>

/** An answer that is not JSON: the bytes of a file, or an empty body. */
export class RawAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer | Readable | undefined
  /**
   * Hex SHA-256 of a streamed body. The signature is a header, so it is computed before the stream
   * is read.
   */
  readonly sha256: string | undefined

  constructor(
    status: number,
    headers: Record<string, string> = {},
    body?: Buffer | Readable,
    sha256?: string,
  ) {
    this.status = status
    this.headers = headers
    this.body = body
    this.sha256 = sha256
  }
}

/** An endpoint for client programs, as data (decision 22). */
export interface ClientEndpoint {
  id: string
  method: 'GET' | 'POST' | 'DELETE'
  /** The path after `/client/{public_id}`. */
  path: string
  summary: string
  /**
   * `required`: the call needs a session token. `optional`: a token is read if present. `none`:
   * tokens are ignored.
   */
  session: 'required' | 'optional' | 'none'
  /**
   * A device with its own key signs every call of its session (decision 119). `deferred`: the handler
   * marks the nonce of the proof as used, in the statement of its change.
   */
  proof?: 'deferred'
  /** True if the call must have a nonce. False only for the key set (R1 in the specification). */
  nonce: boolean
  /** `by grant`: the handler finds the session of the grant and counts the call against it. */
  limit?: ClientLimit | 'by grant'
  /**
   * The actor of the changes of this call: the customer, or the system if a rule of the app applies.
   */
  acts_as?: 'customer' | 'system'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: Shape
  /** A valid body, shown in the reference. */
  example?: unknown
  status?: 200 | 201
  /**
   * `bytes`: the answer is a file. `unless unchanged`: the answer is 304 without a body if the caller has
   * the current version.
   */
  answers?: 'bytes' | 'unless unchanged'
  response: z.ZodObject
  handle(call: ClientCall<unknown, unknown, unknown, unknown>): Promise<unknown>
}

/** Defines endpoints whose handlers get a `Session`. */
export const clientEndpointsOf = <Session>() =>
  sessionEndpointsOf<{
    endpoint: ClientEndpoint
    call: ClientRequest
    sessions: { required: Session; optional: Session | undefined; none: undefined }
    raw: RawAnswer
  }>()
