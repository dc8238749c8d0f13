import { z } from 'zod'
import type { App } from '../app.ts'
import type { Code } from '../kernel/errors.ts'
import type { RepeatCall } from '../kernel/internal-call.ts'
import type { Permission } from '../kernel/permissions.ts'
import type { UploadedFile } from '../storage/storage.ts'
import type { Feature, StoreContext } from '../store-context.ts'
import type { Shape, ShapeOutput } from './session-endpoint.ts'

/** The API key or the user of the dashboard that makes a call. */
export interface Caller {
  /** Null for a user. */
  key_id: number | null
  /** Null for an API key. */
  user_id: number | null
  permissions: ReadonlySet<string>
  rate_limit: number
  /** Calls of this month, including this one. */
  monthly_used: number
  /** The IP address of the caller. */
  ip: string
  /** Repeats a call as this caller, in this store. Only users of the dashboard have it. */
  repeat?: RepeatCall
}

/**
 * Returns true if answers show this caller the secrets of an area in full. An API key needs the read
 * permission of the area, and a user the write permission (decision 136).
 */
export const mayReadSecrets = (
  { user_id, permissions }: Pick<Caller, 'user_id' | 'permissions'>,
  area: string,
): boolean => permissions.has(`${area}:${user_id === null ? 'read' : 'write'}`)

/** A call as its handler receives it: the store context, the caller and the validated input. */
export interface EndpointCall<P, Q, B, A> {
  context: StoreContext
  caller: Caller
  params: P
  query: Q
  body: B
  /** The uploaded file, if the call has one and the endpoint accepts one. */
  file?: UploadedFile
  /** The result of `prepare`. */
  prepared: A
  /** The version in `If-Match`; undefined if any version is accepted. */
  version: number | undefined
}

/**
 * The audit event that a call writes in its handler's transaction (decision 124). `object` is the kind of the record
 * whose id is the first in the path, or else of the record in the answer.
 */
export interface CallAudit {
  action: string
  object: string
}

/**
 * A change without such an event. `nothing`: the call changes nothing. `itself`: the handler has its own transactions,
 * and writes the event in the one that makes the change.
 */
type AuditException = 'nothing' | 'itself'

/** A GET that returns secrets in full. It is audited like a change: always, or if this query parameter is true. */
type Reveals = 'always' | { if_query: string }

/** Every change says what its audit event is, and so does every GET that may reveal secrets. */
type Audit =
  | { method: 'GET'; reveals?: undefined; hasValues?: undefined; audit?: undefined }
  | { method: 'GET'; reveals: Reveals; audit: CallAudit }
  | { method: 'GET'; hasValues: true; audit: CallAudit }
  | {
      method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      hasValues?: true
      audit: CallAudit | AuditException
    }

/** An endpoint, as data. The router, the permission check, OpenAPI and the contract test use it. */
export interface Endpoint {
  /** `area.verb`, unique; the operationId, and the method name in the SDK. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  permission: Permission
  /** If the store has turned off this feature, the call is refused with FEATURE_NOT_ENABLED. */
  feature?: Feature
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: Shape
  /**
   * Also accepts multipart/form-data: the field `file`, and text fields of this shape that replace
   * `body`. The file is temporary, and is deleted after the call unless the handler keeps it.
   */
  upload?: {
    max_bytes: number
    form: z.ZodObject
    /** Also accepts the bare bytes of a file. The text fields are then query parameters. */
    bare?: boolean
  }
  /** A valid body, shown in the reference. */
  example?: unknown
  status?: 200 | 201
  /** Returns true if the answer shows a record that existed already. Its status is then 200 instead of 201. */
  isExisting?(result: unknown): boolean
  /** The fields of the answer next to `success`, which the router adds. */
  response: z.ZodObject
  /** Codes that only this endpoint returns, in addition to those of every endpoint. */
  errors: readonly Code[]
  audit?: CallAudit | AuditException
  reveals?: Reveals
  /**
   * True if the answer has values of server-side strings or settings. The dashboard masks them, and audits a GET that
   * reveals them (decision 174).
   */
  hasValues?: true
  /**
   * The part that makes network calls. It runs before, and outside of, the transaction that
   * `handle` shares with its idempotent answer (decision 10a). It gets the App for work with separate
   * transactions. The signal aborts when the caller disconnects.
   */
  prepare?(
    call: EndpointCall<unknown, unknown, unknown, undefined>,
    app: App,
    signal: AbortSignal,
  ): Promise<unknown>
  handle(call: EndpointCall<unknown, unknown, unknown, unknown>): Promise<unknown>
  /**
   * Work that the change has made necessary, after its commit and outside of any transaction: network calls. It
   * returns the answer as it is afterwards, which replaces that of `handle`, or undefined if nothing was left to do.
   * If it fails, the answer of `handle` stays, so a job must do the same work.
   */
  finish?(call: EndpointCall<unknown, unknown, unknown, unknown>, result: unknown): Promise<unknown>
}

/**
 * Returns false if the body may be omitted, because all its fields are optional. A PATCH always needs a body:
 * an omitted one is probably a bug of the caller (decision 131).
 */
export const isBodyRequired = (method: string, body: Shape): boolean =>
  method === 'PATCH' || !body.safeParse({}).success || hasRequiredField(body)

/** A use case may refuse a missing field itself, so that its shape accepts a body without it. */
const hasRequiredField = (body: Shape): boolean =>
  body instanceof z.ZodObject &&
  (z.toJSONSchema(z.object(body.shape), { io: 'input' }).required ?? []).length > 0

/** Infers the types of the handler from the shapes. At run time it only returns its argument. */
export function endpoint<
  R extends z.ZodObject,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends Shape | undefined = undefined,
  A = undefined,
  H extends z.input<R> = z.input<R>,
>(
  spec: Omit<
    Endpoint,
    | 'method'
    | 'reveals'
    | 'hasValues'
    | 'audit'
    | 'params'
    | 'query'
    | 'body'
    | 'response'
    | 'prepare'
    | 'handle'
    | 'finish'
  > &
    Audit & {
      params?: P
      query?: Q
      body?: B
      response: R
      prepare?(
        call: EndpointCall<ShapeOutput<P>, ShapeOutput<Q>, ShapeOutput<B>, undefined>,
        app: App,
        signal: AbortSignal,
      ): Promise<A>
      handle(call: EndpointCall<ShapeOutput<P>, ShapeOutput<Q>, ShapeOutput<B>, A>): Promise<H>
      finish?(
        call: EndpointCall<ShapeOutput<P>, ShapeOutput<Q>, ShapeOutput<B>, A>,
        result: H,
      ): Promise<z.input<R> | undefined>
    },
): Endpoint {
  return spec as unknown as Endpoint
}
