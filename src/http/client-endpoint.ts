import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { AskedRange } from '../storage/range.rules.ts'
import type { StoreContext } from '../store-context.ts'

type Shape = z.ZodType
type Out<S> = S extends Shape ? z.output<S> : undefined

/** What a client program's call is counted against: limits of its address, or of its session. */
export type ClientLimit = 'session_starts' | 'validations' | 'session_calls'

/** The app that a client program was built with. */
export interface CalledApp {
  id: number
  public_id: string
}

/** What a handler gets of a call by a client program. `S` is its session, as the runtime knows it. */
export interface ClientCall<P, Q, B, S> {
  context: StoreContext
  app: CalledApp
  /** The address that it came from. */
  ip: string | undefined
  /** `Client-Nonce`, as it was sent. */
  nonce: string
  session: S
  params: P
  query: Q
  body: B
  /** What the caller has already: `If-None-Match`. */
  ifNoneMatch: string | undefined
  /** Which part of a file it wants. */
  asked: AskedRange
  /** Counts an unknown license key against the caller's address. */
  countUnknownKey(): Promise<void>
  /** Counts an unknown session token against the caller's address, or refuses the call. */
  takeUnknownToken(): Promise<void>
  /** Counts a call of the session with this token's hash, or refuses it. */
  takeSessionCall(token_hash: Buffer): Promise<void>
  /** Counts a use of a record that is written down with others. */
  note(what: 'validated' | 'string' | 'file', id: number): void
  setHeader(name: string, value: string): void
}

/** An answer that is not JSON of the endpoint's shape: bytes of a file, or nothing at all. */
export class RawAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer | Readable | undefined
  /** Hex SHA-256 of the bytes, where they are a stream: the signature is a header and leaves first. */
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

/** One call of client programs, as data (decision 22). */
export interface ClientEndpoint {
  id: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Behind `/client/{public_id}`. */
  path: string
  summary: string
  /** Whether a session token is needed, read where it is sent, or not looked at. */
  session: 'required' | 'optional' | 'none'
  /**
   * A device with a key of its own signs every call of its session (decision 119). `handed`: the handler
   * uses up the proof's nonce, in the same statement as its change.
   */
  proof?: 'handed'
  /** R1 alone is asked for without a nonce. */
  nonce: boolean
  /** `by grant`: a call of the session that a grant is of, which the handler finds and counts. */
  limit?: ClientLimit | 'by grant'
  /** Who acts where the call changes something: its customer, or a rule of the app that it sets off. */
  acts_as?: 'customer' | 'system'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: Shape
  /** A body that works, for the reference. */
  example?: unknown
  status?: 200 | 201
  /** What leaves instead of JSON: the bytes of a file, or nothing where the caller has it already. */
  answers?: 'bytes' | 'unless known'
  response: z.ZodObject
  handle(call: ClientCall<unknown, unknown, unknown, unknown>): Promise<unknown>
}

/** Ties the handler's types to the shapes beside it; at run time it only returns its argument. */
export const clientEndpointsOf =
  <Session>() =>
  <
    R extends z.ZodObject,
    P extends z.ZodObject | undefined = undefined,
    Q extends z.ZodObject | undefined = undefined,
    B extends Shape | undefined = undefined,
    K extends ClientEndpoint['session'] = 'none',
  >(
    spec: Omit<ClientEndpoint, 'params' | 'query' | 'body' | 'response' | 'session' | 'handle'> & {
      session: K
      params?: P
      query?: Q
      body?: B
      response: R
      handle(
        call: ClientCall<
          Out<P>,
          Out<Q>,
          Out<B>,
          K extends 'required' ? Session : K extends 'optional' ? Session | undefined : undefined
        >,
      ): Promise<z.input<R> | RawAnswer>
    },
  ): ClientEndpoint =>
    spec as unknown as ClientEndpoint
