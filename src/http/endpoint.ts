import type { z } from 'zod'
import type { App } from '../app.ts'
import type { Code } from '../kernel/errors.ts'
import type { Uploaded } from '../storage/storage.ts'
import type { Feature, StoreContext } from '../store-context.ts'

type Shape = z.ZodType
type Out<S> = S extends Shape ? z.output<S> : undefined

/** Who calls: what the account page shows of the key. */
export interface Caller {
  key_id: number
  permissions: ReadonlySet<string>
  rate_limit: number
  /** Calls of this month, this one included. */
  monthly_used: number
  /** The address that the call came from. */
  ip: string
}

/** What every handler gets: the store at work, who is asking, and what was asked, checked. */
export interface Call<P, Q, B, A> {
  context: StoreContext
  caller: Caller
  params: P
  query: Q
  body: B
  /** The file that was uploaded, where the call has one and the endpoint takes one. */
  file?: Uploaded
  /** What `ask` brought back. */
  asked: A
  /** The version that `If-Match` asks for; undefined where any will do. */
  version: number | undefined
}

/**
 * How an endpoint is audited (decision 124). Every method but GET writes an audit event in the transaction
 * of its handler. `nothing`: the call changes nothing. `itself`: it has transactions of its own, and writes
 * its event in the one that makes the change.
 */
export type Audited = 'nothing' | 'itself'

export type Permission = `${string}:${'read' | 'write'}`

/** One endpoint, as data. The router, the permission check, OpenAPI and the contract test read this. */
export interface Endpoint {
  /** `area.verb`, unique: the operationId, and the method of the SDK. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  permission: Permission
  /** Refused with FEATURE_NOT_ENABLED where the store has it off. */
  feature?: Feature
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: Shape
  /**
   * Takes multipart/form-data too: the field `file`, and text fields of this shape, which give the
   * same as `body`. The file is in a temporary place, and gone when the call is over unless kept.
   */
  upload?: {
    max_bytes: number
    form: z.ZodObject
    /** Takes the bare bytes of a file too; its text fields stand in the query then. */
    bare?: boolean
  }
  /** A body that works, for the reference. */
  example?: unknown
  status?: 200 | 201
  /** The answer beside `success`, which the door adds. */
  response: z.ZodObject
  /** The codes of its own, beside those that every endpoint may give. */
  errors: readonly Code[]
  audit?: Audited
  /**
   * A GET that shows or exports secrets in full, which is audited as a change is: always, or where this
   * query parameter is true.
   */
  reveals?: 'always' | { when_asked_by: string }
  /**
   * The part that speaks to the network. It runs before, and outside of, the transaction that
   * `handle` shares with its idempotent answer (decision 10a). It gets the machinery for work that has
   * transactions of its own.
   */
  ask?(call: Call<unknown, unknown, unknown, undefined>, app: App): Promise<unknown>
  handle(call: Call<unknown, unknown, unknown, unknown>): Promise<unknown>
}

/**
 * A call may leave its body out if no field of it is required. A PATCH must not: a change of nothing
 * is probably a lost body (decision 131).
 */
export const isBodyRequired = (method: string, body: Shape): boolean =>
  method === 'PATCH' || !body.safeParse({}).success

/** Ties the handler's types to the shapes beside it; at run time it only returns its argument. */
export function endpoint<
  R extends z.ZodObject,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends Shape | undefined = undefined,
  A = undefined,
>(
  spec: Omit<Endpoint, 'params' | 'query' | 'body' | 'response' | 'ask' | 'handle'> & {
    params?: P
    query?: Q
    body?: B
    response: R
    ask?(call: Call<Out<P>, Out<Q>, Out<B>, undefined>, app: App): Promise<A>
    handle(call: Call<Out<P>, Out<Q>, Out<B>, A>): Promise<z.input<R>>
  },
): Endpoint {
  return spec as unknown as Endpoint
}
