import { useState } from 'react'
import type { Request } from '../api/action.ts'
import { fill } from '../text/catalogue.ts'
import { sorting } from '../text/sorting.ts'
import { useSendAndRefresh } from './send.ts'
import { Failure } from './states.tsx'

interface ReorderOptions<Id> {
  ids: readonly Id[]
  /** The request that gives the records a new order. */
  request: (ids: Id[]) => Request
}

export interface Reorder<Id> {
  ids: readonly Id[]
  isPending: boolean
  move: (id: Id, by: -1 | 1) => void
  /** The result of the last move, for screen readers, or why it failed. Shown once for all rows. */
  status: React.ReactNode
}

/** Moves records up and down by buttons; the order is saved with each move. */
export function useReorder<Id>({ ids, request }: ReorderOptions<Id>): Reorder<Id> {
  const send = useSendAndRefresh()
  const [said, setSaid] = useState('')
  const move = (id: Id, by: -1 | 1) => {
    const from = ids.indexOf(id)
    const next = ids.toSpliced(from, 1).toSpliced(from + by, 0, id)
    setSaid('')
    send.mutate(request(next), {
      onSuccess: () => setSaid(fill(sorting.moved, { n: from + by + 1, of: ids.length })),
    })
  }
  return {
    ids,
    isPending: send.isPending,
    move,
    status: (
      <>
        {send.error && <Failure error={send.error} />}
        <span className="unseen" role="status">
          {said}
        </span>
      </>
    ),
  }
}

/** The buttons of a row. They stay focusable at both ends, so that the focus is never lost. */
export function MoveButtons<Id>({
  id,
  name,
  reorder: { ids, isPending, move },
}: {
  id: Id
  name: string
  reorder: Reorder<Id>
}) {
  const at = ids.indexOf(id)
  const button = (by: -1 | 1, sign: string, text: string) => {
    const isEnd = ids[at + by] === undefined
    return (
      <button
        type="button"
        aria-label={fill(text, { name })}
        aria-disabled={isEnd || isPending}
        onClick={() => !isEnd && !isPending && move(id, by)}
      >
        {sign}
      </button>
    )
  }
  return (
    <span className="move">
      {button(-1, '↑', sorting.up)}
      {button(1, '↓', sorting.down)}
    </span>
  )
}
