import { iso, startOfNextMonth } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { planOf } from '../../installation/index.ts'
import type { Account } from './schema.ts'

/** The fields of the calling API key that authentication provides. */
interface CallingKey {
  permissions: ReadonlySet<string>
  rate_limit: number
  monthly_used: number
}

/** Returns the store, its plan, and the permissions and limits of the calling key. */
export function showAccount({ store, now }: StoreContext, key: CallingKey): Account {
  const { hash, name, slug, currency, plan, livemode, created_at, features } = store
  return {
    store: { id: hash, name, slug, currency, plan, livemode, created_at },
    api: {
      permissions: [...key.permissions].sort(),
      rate_limit: key.rate_limit,
      monthly_quota: planOf(plan).monthly_quota,
      monthly_used: key.monthly_used,
      resets_at: iso(startOfNextMonth(Date.parse(now))),
    },
    features,
  }
}
