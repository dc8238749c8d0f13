// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { AccessOperations } from './access.gen.ts'
import type { StoreOperations } from './store.gen.ts'
import type { UserOperations } from './user.gen.ts'

export type * from './records.gen.ts'

/** The dashboard's own endpoints, below `/dashboard/api`. Answers have `success: true` too. */
export interface DashboardOperations
  extends UserOperations,
    AccessOperations,
    StoreOperations {}
