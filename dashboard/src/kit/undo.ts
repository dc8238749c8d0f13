import { useQueryClient } from '@tanstack/react-query'
import { type Request, sendRequest } from '../api/action.ts'
import { TradepostError, useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { toast } from './toast.tsx'

/** The result of an action, and the request that takes it back. */
export interface Undo {
  text: string
  request: Request
}

/**
 * Returns a function that shows the result of an action with a button that takes it back. The button
 * also works when the action itself is no longer shown, because its row was deleted.
 */
export function useUndo(): (undo: Undo) => void {
  const store = useStore()
  const queries = useQueryClient()
  return ({ text, request }) => {
    const sendUndo = async () => {
      try {
        await sendRequest(request, store)
      } catch (error) {
        const reason = error instanceof TradepostError ? error.message : common.failed
        toast(fill(common.notUndone, { reason }))
      }
      void queries.invalidateQueries({ queryKey: [store.id, request.area] })
    }
    toast(text, { label: common.undo, act: () => void sendUndo() })
  }
}
