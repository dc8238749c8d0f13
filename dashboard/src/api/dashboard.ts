import type { DashboardOperations } from '../../../sdk/dashboard/operations.gen.ts'

export type * from '../../../sdk/dashboard/operations.gen.ts'

/** The answer of an endpoint that only the dashboard has, such as `api_keys.list`. */
export type DashboardAnswer<Name extends keyof DashboardOperations> =
  DashboardOperations[Name]['answer']
