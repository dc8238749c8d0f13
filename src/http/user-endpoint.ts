import type { z } from 'zod'
import type { App } from '../app.ts'
import type { Browser, Cookies } from '../kernel/browser.ts'
import type { Code } from '../kernel/errors.ts'
import { type SessionInput, type Shape, sessionEndpointsOf } from './session-endpoint.ts'

interface UserRequest {
  /** The app, with the user as the actor of changes. */
  app: App
  browser: Browser
  /** Sets cookies of the answer. They are also sent if the call is refused afterwards. */
  setCookies(cookies: Cookies): void
}

/** A call outside of any store, as its handler receives it. `S` is the session of the user. */
type UserCall<P, Q, B, S> = UserRequest & SessionInput<P, Q, B, S>

/** An endpoint of the dashboard that belongs to a user and to no store, as data (decision 134). */
export interface UserEndpoint {
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** `none`: the call needs no session. It gets the session of the browser if there is one. */
  session: 'required' | 'none'
  /** True if the call needs a password or passkey of the last 10 minutes (decision 137). */
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

/** Defines endpoints whose handlers get a `Session`. */
export const userEndpointsOf = <Session>() =>
  sessionEndpointsOf<{
    endpoint: UserEndpoint
    call: UserRequest
    sessions: { required: Session; none: Session | undefined }
    raw: never
  }>()
