import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { API } from '../api/call.ts'
import type { OwnAnswer } from '../api/own.ts'
import { type StoreContext, useStore } from '../api/store.ts'
import { setStoreTime } from '../kit/store-clock.ts'
import type { Counts } from './page-table.ts'

/** Which areas of a page each message refreshes. */
const AREAS: Record<string, readonly string[]> = {
  order: ['orders', 'analytics', 'customers', 'stock'],
  delivery: ['events', 'webhooks'],
}

/** Refreshes are gathered for this long, so that a rush of orders costs one refresh. */
const GATHER_MS = 500

/**
 * Keeps the shown records up to date by one stream of server-sent events. The browser reconnects
 * and names the last message it saw; records that changed long before are fetched again.
 */
export function useLive() {
  const store = useStore()
  const queries = useQueryClient()
  useEffect(() => openStream(store, queries), [store, queries])
}

function openStream({ id }: StoreContext, queries: QueryClient): () => void {
  const stream = new EventSource(`${API}/stores/${id}/stream`)
  const stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = (areas: readonly string[]) => {
    for (const area of areas) stale.add(area)
    timer ??= setTimeout(() => {
      timer = undefined
      for (const area of stale) void queries.invalidateQueries({ queryKey: [id, area] })
      stale.clear()
    }, GATHER_MS)
  }
  for (const [type, areas] of Object.entries(AREAS)) {
    stream.addEventListener(type, () => refresh(areas))
  }
  let isNew = true
  stream.addEventListener('open', () => {
    isNew = true
  })
  stream.addEventListener('counts', (event) => {
    // The first message of a connection: data that was read before it may lack a change.
    if (isNew) refresh(Object.values(AREAS).flat())
    isNew = false
    const { counts, caught_up } = JSON.parse(event.data) as { counts: Counts; caught_up?: boolean }
    queries.setQueryData([id, 'counts'], counts)
    if (caught_up === false) void queries.invalidateQueries({ queryKey: [id] })
  })
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}

/** The numbers of records that wait for a person; undefined until they are known. */
export function useCounts(): Counts | undefined {
  const store = useStore()
  const { data } = useQuery({
    queryKey: [store.id, 'counts'],
    queryFn: async () => {
      const { counts, store_time } = await store.own<OwnAnswer<'counts.get'>>('GET', '/counts')
      setStoreTime(store_time)
      return counts
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
