import { useRouter } from '@tanstack/react-router'
import type { Request } from '../api/action.ts'
import { useHref } from './link.tsx'

/**
 * Returns a function that makes a delete request open another page before data is read again.
 * Otherwise the page would request a deleted record.
 */
export function useOpenAfter(): (request: Request, to: string) => Request {
  const router = useRouter()
  const hrefOf = useHref()
  const openPage = (to: string) =>
    new Promise<void>((resolve) => {
      const stop = router.subscribe('onRendered', () => {
        stop()
        resolve()
      })
      router.history.push(hrefOf(to))
    })
  return (request, to) => ({
    ...request,
    send: async (store) => {
      const answer = await request.send(store)
      await openPage(to)
      return answer
    },
  })
}
