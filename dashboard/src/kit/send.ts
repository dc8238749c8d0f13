import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Request } from '../api/action.ts'
import { useStore } from '../api/store.ts'

/**
 * Sends requests that are made from what is shown, such as a list with another order. It is pending until what
 * is shown was read again, so that the next request is not made from the state before.
 */
export function useSendAndRefresh() {
  const store = useStore()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (request: Request) => {
      const answer = await request.send(store)
      await queries.invalidateQueries({ queryKey: [store.id, request.area] })
      return answer
    },
  })
}
