import type { DashboardOperations } from '../../../sdk/dashboard/operations.gen.ts'
import type { Request } from './action.ts'
import { call, type Method } from './call.ts'

export type * from '../../../sdk/dashboard/operations.gen.ts'

/** The answer of an endpoint that only the dashboard has, such as `api_keys.list`. */
export type OwnAnswer<Name extends keyof DashboardOperations> = DashboardOperations[Name]['answer']

/** A request to an endpoint of the signed-in user, which is of no store. */
export const userRequest = (method: Method, path: string, body?: unknown): Request => ({
  area: 'account',
  method,
  ...(body !== undefined && { body }),
  send: () => call(method, path, { body }),
})
