import { useQuery } from '@tanstack/react-query'
import type { DashboardAnswer } from '../api/dashboard.ts'
import { useStore } from '../api/store.ts'
import { setStoreTime } from './store-clock.ts'

/** The numbers of records of the store that need the seller's attention. */
export type Counts = DashboardAnswer<'counts.get'>['counts']

/** The query of these numbers. It runs once; then live updates change its data. */
export function useCountsQuery() {
  const store = useStore()
  return useQuery({
    queryKey: [store.id, 'counts'],
    queryFn: async () => {
      const { counts, store_time } = await store.readDashboard<'counts.get'>('/counts')
      setStoreTime(store_time)
      return counts
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The numbers of records that need the seller's attention; undefined until they are loaded. */
export const useCounts = (): Counts | undefined => useCountsQuery().data
