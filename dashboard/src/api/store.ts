import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { createClient, type Tradepost } from '../../../sdk/client/index.ts'
import {
  createManagementClient,
  type Management,
} from '../../../sdk/client-security/management/index.ts'
import { API, call, fetchForEdit, guardedFetch, type Method, type Query } from './call.ts'
import type { DashboardAnswer, DashboardOperations } from './dashboard.ts'

export { TradepostError } from '../../../sdk/client/errors.ts'
export type * from '../../../sdk/client/index.ts'
export { NoIdError } from '../../../sdk/client/request.ts'

export type Role = 'owner' | 'admin' | 'staff' | 'viewer'

/** A side of a store in which the user has a role. */
export interface StoreSide {
  id: string
  name: string
  slug: string
  livemode: boolean
  /** The time zone in which days are typed and times are shown. */
  time_zone: string
  role: Role
}

export interface Me {
  user: { id: number; email: string; name: string; has_password: boolean; has_totp: boolean }
  stores: StoreSide[]
  stepped_up: boolean
}

/** The store in the address, and how to call its API. */
export interface StoreContext extends StoreSide {
  me: Me
  /** Every operation of the Store API, typed. */
  api: Tradepost
  /** Reads from an endpoint that only the dashboard has, such as `/team`. The type argument is its operation. */
  readDashboard<Name extends keyof DashboardOperations>(
    path: string,
    query?: Query,
  ): Promise<DashboardAnswer<Name>>
  /** Calls an endpoint that only the dashboard has. */
  callDashboard(method: Method, path: string, body?: unknown): Promise<unknown>
  /** Every management operation of the Client Security API, typed. */
  security: Management
  /** The same store, for an edit. A waiting edit is persisted by its form and not as a request (decision 377). */
  forEdit(): StoreContext
  /** The same store, whose waiting changes have this name. */
  forChange(name: string): StoreContext
}

interface Sending {
  send?: typeof guardedFetch
  /** The name of the changes, in words. */
  name?: string | undefined
}

export function openStore(
  me: Me,
  side: StoreSide,
  { send = guardedFetch, name }: Sending = {},
): StoreContext {
  const fetch: typeof guardedFetch = (input, init) => send(input, init, name)
  const storePath = `/stores/${side.id}`
  const shared = { apiKey: 'session', retries: 1, fetch }
  return {
    ...side,
    me,
    api: createClient({
      ...shared,
      url: `${location.origin}${API}${storePath}/v1`,
      storeHash: side.id,
    }),
    readDashboard: (path, query = {}) => call('GET', `${storePath}${path}`, { query, send: fetch }),
    callDashboard: (method, path, body) =>
      call(method, `${storePath}${path}`, { body, send: fetch }),
    security: createManagementClient({
      ...shared,
      url: `${location.origin}${API}${storePath}/security/v1`,
    }),
    forEdit: () => openStore(me, side, { send: fetchForEdit, name }),
    forChange: (newName) => openStore(me, side, { send, name: newName }),
  }
}

const CurrentStore = createContext<StoreContext | undefined>(undefined)
export const StoreProvider = CurrentStore.Provider

export function useStore(): StoreContext {
  const store = useContext(CurrentStore)
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
  /** The polling interval in milliseconds, given the last answer; false to stop polling. */
  refetchInterval?: (query: { state: { data: Answer | undefined } }) => number | false
  /**
   * True for data that the page can be shown without, such as the choices of a filter. A failure is reported below
   * the heading of the page.
   */
  isOptional?: boolean
  /** True if a list may keep its rows while its next page is fetched. */
  keepPrevious?: boolean
}

/**
 * Reads records for a page. The key begins with the area, such as `['orders', id]`. Changes and
 * live updates refresh every key of their area.
 */
export function useRead<Answer>(
  key: readonly unknown[],
  read: (store: StoreContext) => PromiseLike<Answer>,
  options: ReadOptions<Answer> = {},
): UseQueryResult<Answer, Error> {
  const store = useStore()
  const { keepPrevious, isOptional, ...rest } = options
  return useQuery({
    queryKey: [store.id, ...key],
    queryFn: async () => read(store),
    // A list keeps its rows while its next page is fetched. A record page never shows another
    // record.
    ...(keepPrevious && { placeholderData: keepPreviousData as never }),
    ...(isOptional && { meta: { isOptional } }),
    ...rest,
  }) as UseQueryResult<Answer, Error>
}
