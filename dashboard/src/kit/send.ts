import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Request, sendRequest } from '../api/action.ts'
import { useStore } from '../api/store.ts'

/**
 * Sends requests that depend on the shown data, such as a list in a new sequence. The result stays
 * pending until the data was read again, so that the next request does not depend on old data.
 */
export function useSendAndRefresh() {
  const store = useStore()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (request: Request) => {
      const answer = await sendRequest(request, store)
      await queries.invalidateQueries({ queryKey: [store.id, request.area] })
      return answer
    },
  })
}
