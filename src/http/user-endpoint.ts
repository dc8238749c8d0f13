import type { z } from 'zod'
import type { App } from '../app.ts'
import type { Browser, Cookies } from '../kernel/browser.ts'
import type { Code } from '../kernel/errors.ts'

type Shape = z.ZodType
type Out<S> = S extends Shape ? z.output<S> : undefined

/** A call outside of any store, as its handler receives it. `S` is the session of the user. */
export interface UserCall<P, Q, B, S> {
  /** The app, with the user as the actor of changes. */
  app: App
  browser: Browser
  session: S
  params: P
  query: Q
  body: B
  /** Sets cookies of the answer, also if the call is refused afterwards. */
  setCookies(cookies: Cookies): void
}

/** An endpoint of the dashboard that belongs to a user and to no store, as data (decision 285). */
export interface UserEndpoint {
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** `none`: the call needs no session, and gets one if the browser has it. */
  session: 'required' | 'none'
  /** The call needs a password given in the last 10 minutes (decision 137). */
  step_up?: boolean
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: Shape
  example?: unknown
  status?: 200 | 201
  response: z.ZodObject
  errors: readonly Code[]
  handle(call: UserCall<unknown, unknown, unknown, unknown>): Promise<unknown>
}

/** Infers the handler's types from the shapes; at run time it only returns its argument. */
export const userEndpointsOf =
  <Session>() =>
  <
    R extends z.ZodObject,
    P extends z.ZodObject | undefined = undefined,
    Q extends z.ZodObject | undefined = undefined,
    B extends Shape | undefined = undefined,
    K extends UserEndpoint['session'] = 'none',
  >(
    spec: Omit<UserEndpoint, 'params' | 'query' | 'body' | 'response' | 'session' | 'handle'> & {
      session: K
      params?: P
      query?: Q
      body?: B
      response: R
      handle(
        call: UserCall<
          Out<P>,
          Out<Q>,
          Out<B>,
          K extends 'required' ? Session : Session | undefined
        >,
      ): Promise<z.input<R>>
    },
  ): UserEndpoint =>
    spec as unknown as UserEndpoint
