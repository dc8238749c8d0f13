import type { z } from 'zod'

export type Shape = z.ZodType
export type ShapeOutput<S> = S extends Shape ? z.output<S> : undefined

/** The endpoints of a surface whose callers have sessions. */
interface SessionSurface {
  /** The endpoint, as data. */
  endpoint: { session: string }
  /** The call as its handler receives it, without input and session. */
  call: object
  /** The session that a handler gets, for each value of the endpoint's `session`. */
  sessions: Record<string, unknown>
  /** An answer in addition to the endpoint's JSON; `never` if there is none. */
  raw: unknown
}

/** The input of a call, validated by the endpoint's shapes, and its session. */
export interface SessionInput<P, Q, B, S> {
  params: P
  query: Q
  body: B
  session: S
}

type Inferred = 'params' | 'query' | 'body' | 'response' | 'session' | 'handle'

/** Infers the types of the handler from the shapes. At run time it only returns its argument. */
export const sessionEndpointsOf =
  <S extends SessionSurface>() =>
  <
    R extends z.ZodObject,
    K extends S['endpoint']['session'] & keyof S['sessions'],
    P extends z.ZodObject | undefined = undefined,
    Q extends z.ZodObject | undefined = undefined,
    B extends Shape | undefined = undefined,
  >(
    spec: Omit<S['endpoint'], Inferred> & {
      session: K
      params?: P
      query?: Q
      body?: B
      response: R
      handle(
        call: S['call'] &
          SessionInput<ShapeOutput<P>, ShapeOutput<Q>, ShapeOutput<B>, S['sessions'][K]>,
      ): Promise<z.input<R> | S['raw']>
    },
  ): S['endpoint'] =>
    spec as unknown as S['endpoint']
