// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { AccessOperations } from './access.gen.ts'
import type { BuildOperations } from './build.gen.ts'
import type { SellOperations } from './sell.gen.ts'
import type { StoreOperations } from './store.gen.ts'
import type { UserOperations } from './user.gen.ts'

export type * from './records.gen.ts'

/** The endpoints that only the dashboard has, below `/dashboard/api`. Answers also have `success: true`. */
export interface DashboardOperations
  extends UserOperations,
    AccessOperations,
    BuildOperations,
    SellOperations,
    StoreOperations {}
