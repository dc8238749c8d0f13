import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startProbe } from '../api/connection.ts'
import { type StoreContext, useStore } from '../api/store.ts'
import { takeStream } from '../api/stream.ts'
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
  useEffect(() => followStream(store, queries), [store, queries])
}

function followStream({ id }: StoreContext, queries: QueryClient): () => void {
  const stream = takeStream(id)
  /** True if the shown data may lack a change from before the stream. */
  let isBehind = !stream.hasBegun
  const staleAreas = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = (areas: readonly string[]) => {
    if (areas.length === 0) return
    for (const area of areas) staleAreas.add(area)
    timer ??= setTimeout(() => {
      timer = undefined
      for (const area of staleAreas) void queries.invalidateQueries({ queryKey: [id, area] })
      staleAreas.clear()
    }, REFRESH_DELAY_MS)
  }
  const takeCounts = (data: string) => {
    if (isBehind) refresh(Object.values(AREAS_OF_MESSAGES).flat())
    isBehind = false
    const { counts, caught_up } = JSON.parse(data) as { counts: Counts; caught_up?: boolean }
    refresh(areasOfChangedCounts(queries.getQueryData<Counts>([id, 'counts']), counts))
    queries.setQueryData([id, 'counts'], counts)
    if (caught_up === false) void queries.invalidateQueries({ queryKey: [id] })
  }
  stream.listen(({ type, data = '' }) => {
    refresh(AREAS_OF_MESSAGES[type] ?? [])
    if (type === 'counts') takeCounts(data)
    if (type === 'error') {
      isBehind = true
      startProbe()
    }
  })
  return () => {
    clearTimeout(timer)
    stream.close()
  }
}
