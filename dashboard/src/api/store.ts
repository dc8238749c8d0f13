import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { createClient, type Tradepost } from '../../../sdk/client/index.ts'
import {
  createManagementClient,
  type Management,
} from '../../../sdk/client-security/management/index.ts'
import { API, call, guardedFetch, type Method, type Query } from './call.ts'

export { TradepostError } from '../../../sdk/client/errors.ts'
export type * from '../../../sdk/client/index.ts'

export type Role = 'owner' | 'admin' | 'staff' | 'viewer'

/** A side of a store in which the user has a role. */
export interface StoreSide {
  id: string
  name: string
  slug: string
  livemode: boolean
  role: Role
}

export interface Me {
  user: { id: number; email: string; name: string; has_password: boolean; has_totp: boolean }
  stores: StoreSide[]
  stepped_up: boolean
}

/** The store that the address names, and how to call its API. */
export interface StoreContext extends StoreSide {
  me: Me
  /** Every operation of the Store API, typed. */
  api: Tradepost
  /** Calls an endpoint that only the dashboard has, such as `/team`. */
  own<Answer = unknown>(method: Method, path: string, options?: CallOptions): Promise<Answer>
  /** Every management operation of the Client Security API, typed. */
  security: Management
}

interface CallOptions {
  query?: Query
  body?: unknown
}

export function openStore(me: Me, side: StoreSide): StoreContext {
  const root = `/stores/${side.id}`
  const shared = { apiKey: 'session', retries: 1, fetch: guardedFetch }
  return {
    ...side,
    me,
    api: createClient({
      ...shared,
      url: `${location.origin}${API}${root}/v1`,
      storeHash: side.id,
    }),
    own: (method, path, options) => call(method, `${root}${path}`, options),
    security: createManagementClient({
      ...shared,
      url: `${location.origin}${API}${root}/security/v1`,
    }),
  }
}

const Context = createContext<StoreContext | undefined>(undefined)
export const StoreProvider = Context.Provider

export function useStore(): StoreContext {
  const store = useContext(Context)
  if (!store) throw new Error('No store is open.')
  return store
}

const STAFF_WRITES = [
  'orders',
  'fulfillment',
  'returns',
  'reviews',
  'questions',
  'tickets',
  'customers',
  'blocklist',
]

/** True if the role may change records of the area (decision 136). */
export function mayWrite({ role }: Pick<StoreSide, 'role'>, area: string): boolean {
  if (role === 'owner' || role === 'admin') return true
  return role === 'staff' && STAFF_WRITES.includes(area)
}

interface ReadOptions<Answer> {
  enabled?: boolean
  /** How often the page asks again, by the last answer; false for never. */
  refetchInterval?: (query: { state: { data: Answer | undefined } }) => number | false
  /** True if a list may keep its rows while its next page is fetched. */
  keepPrevious?: boolean
}

/**
 * Reads records for a page. The key names the area first, such as `['orders', id]`; changes and live updates
 * refresh every key of their area.
 */
export function useRead<Answer>(
  key: readonly unknown[],
  read: (store: StoreContext) => PromiseLike<Answer>,
  options: ReadOptions<Answer> = {},
): UseQueryResult<Answer, Error> {
  const store = useStore()
  const { keepPrevious, ...rest } = options
  return useQuery({
    queryKey: [store.id, ...key],
    queryFn: async () => read(store),
    // A list keeps its rows while its next page is fetched; a record never shows another one.
    ...(keepPrevious && { placeholderData: keepPreviousData as never }),
    ...rest,
  }) as UseQueryResult<Answer, Error>
}
