import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { API } from '../api/call.ts'
import { startProbe } from '../api/connection.ts'
import { type StoreContext, useStore } from '../api/store.ts'
import type { Counts } from '../kit/counts.ts'

/** The areas that each kind of message refreshes. */
const AREAS_OF_MESSAGES: Record<string, readonly string[]> = {
  order: ['orders', 'analytics', 'customers', 'stock'],
  delivery: ['events', 'webhooks'],
}

/** The area of the records that each count counts. After a change of the count, the shown records are old. */
const AREA_OF_COUNT: Partial<Record<keyof Counts, string>> = {
  // An order that waits for its delivery was paid without an event.
  orders: 'orders',
  tickets: 'tickets',
  questions: 'questions',
  returns: 'returns',
  payouts: 'affiliates',
}

const areasOfChangedCounts = (before: Counts | undefined, now: Counts): string[] =>
  Object.entries(AREA_OF_COUNT)
    .filter(([name]) => before && before[name as keyof Counts] !== now[name as keyof Counts])
    .map(([, area]) => area)

/** Refreshes within this time are combined, so that many orders at once cost one refresh. */
const REFRESH_DELAY_MS = 500

/**
 * Keeps the shown records up to date with one stream of server-sent events. After a reconnect the
 * browser names the last message it received. If the server no longer has the messages since then,
 * all records are fetched again.
 */
export function useLive() {
  const store = useStore()
  const queries = useQueryClient()
  useEffect(() => openStream(store, queries), [store, queries])
}

function openStream({ id }: StoreContext, queries: QueryClient): () => void {
  const stream = new EventSource(`${API}/stores/${id}/stream`)
  const staleAreas = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = (areas: readonly string[]) => {
    for (const area of areas) staleAreas.add(area)
    timer ??= setTimeout(() => {
      timer = undefined
      for (const area of staleAreas) void queries.invalidateQueries({ queryKey: [id, area] })
      staleAreas.clear()
    }, REFRESH_DELAY_MS)
  }
  for (const [type, areas] of Object.entries(AREAS_OF_MESSAGES)) {
    stream.addEventListener(type, () => refresh(areas))
  }
  let isFirstMessage = true
  stream.addEventListener('open', () => {
    isFirstMessage = true
  })
  stream.addEventListener('error', startProbe)
  stream.addEventListener('counts', (event) => {
    // Data that was read before the stream opened may lack a change.
    if (isFirstMessage) refresh(Object.values(AREAS_OF_MESSAGES).flat())
    isFirstMessage = false
    const { counts, caught_up } = JSON.parse(event.data) as { counts: Counts; caught_up?: boolean }
    refresh(areasOfChangedCounts(queries.getQueryData<Counts>([id, 'counts']), counts))
    queries.setQueryData([id, 'counts'], counts)
    if (caught_up === false) void queries.invalidateQueries({ queryKey: [id] })
  })
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}
