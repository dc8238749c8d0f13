import { useRouter } from '@tanstack/react-router'
import type { Request } from '../api/action.ts'
import { useHref } from './link.tsx'

/**
 * Makes a request that deletes the shown record open another page before data is read again.
 * Otherwise the page would request a deleted record.
 */
export function useLeaving(): (request: Request, to: string) => Request {
  const router = useRouter()
  const hrefOf = useHref()
  const leave = (to: string) =>
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
      await leave(to)
      return answer
    },
  })
}
