import { type PointerEvent, useRef, useState } from 'react'
import type { Request } from '../api/action.ts'
import { fill } from '../text/catalogue.ts'
import { sorting } from '../text/sorting.ts'
import { ApiCall } from './form.tsx'
import { useSendAndRefresh } from './send.ts'
import { Failure } from './states.tsx'

interface ReorderOptions<Id> {
  ids: readonly Id[]
  /** The request that saves the new sequence of the records. */
  request: (ids: Id[]) => Request
}

interface Reorder<Id> {
  ids: readonly Id[]
  isPending: boolean
  move: (id: Id, by: -1 | 1) => void
  /** Moves a record to a position, from 0. */
  moveTo: (id: Id, to: number) => void
  /**
   * The result or the error of the last move, and its API call. It is shown once for all rows, to
   * users who may move them.
   */
  status: React.ReactNode
}

/** Moves records up and down with buttons or by dragging. Each move saves the new sequence. */
export function useReorder<Id>({ ids, request }: ReorderOptions<Id>): Reorder<Id> {
  const send = useSendAndRefresh()
  const [message, setMessage] = useState('')
  const moveTo = (id: Id, to: number) => {
    const sortedIds = ids.toSpliced(ids.indexOf(id), 1).toSpliced(to, 0, id)
    setMessage('')
    send.mutate(request(sortedIds), {
      onSuccess: () => setMessage(fill(sorting.moved, { n: to + 1, of: ids.length })),
    })
  }
  const move = (id: Id, by: -1 | 1) => moveTo(id, ids.indexOf(id) + by)
  return {
    ids,
    isPending: send.isPending,
    move,
    moveTo,
    status: (
      <>
        {send.error && <Failure error={send.error} />}
        <span className="visually-hidden" role="status">
          {message}
        </span>
        {ids.length > 1 && <ApiCall make={() => send.variables ?? request([...ids])} />}
      </>
    ),
  }
}

/**
 * The buttons of a row. They stay focusable in the first and last row, so that the focus is never
 * lost.
 */
export function MoveButtons<Id>({
  id,
  name,
  reorder,
}: {
  id: Id
  name: string
  reorder: Reorder<Id>
}) {
  const { ids, isPending, move } = reorder
  const position = ids.indexOf(id)
  const moveButton = (by: -1 | 1, sign: string, text: string) => {
    const isEnd = ids[position + by] === undefined
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
    <span className="move-buttons">
      <DragHandle id={id} reorder={reorder} />
      {moveButton(-1, '↑', sorting.up)}
      {moveButton(1, '↓', sorting.down)}
    </span>
  )
}

const ROW_SELECTOR = 'tr, li'
const DRAGGED_CLASS = 'dragged'
const TARGET_CLASS = 'drop-target'

/** The row under the pointer, if it belongs to the same list. */
function rowUnder({ clientX, clientY, currentTarget }: PointerEvent): Element | undefined {
  const row = document.elementFromPoint(clientX, clientY)?.closest(ROW_SELECTOR)
  const isSibling = row?.parentElement === currentTarget.closest(ROW_SELECTOR)?.parentElement
  return row && isSibling ? row : undefined
}

/**
 * Drags a row to another position with a pointer. Keyboards and screen readers use the buttons next to
 * it (WCAG 2.5.7).
 */
function DragHandle<Id>({ id, reorder }: { id: Id; reorder: Reorder<Id> }) {
  const { ids, isPending, moveTo } = reorder
  const target = useRef<Element>(undefined)
  const markTarget = (row: Element | undefined) => {
    target.current?.classList.remove(TARGET_CLASS)
    row?.classList.add(TARGET_CLASS)
    target.current = row
  }
  const startDrag = (event: PointerEvent<HTMLSpanElement>) => {
    if (isPending) return
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.closest(ROW_SELECTOR)?.classList.add(DRAGGED_CLASS)
  }
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) markTarget(rowUnder(event))
  }
  const endDrag = (event: PointerEvent<HTMLSpanElement>) => {
    event.currentTarget.closest(ROW_SELECTOR)?.classList.remove(DRAGGED_CLASS)
    const targetId = target.current?.querySelector<HTMLElement>('[data-drag]')?.dataset.drag
    markTarget(undefined)
    const to = ids.findIndex((item) => String(item) === targetId)
    if (event.type === 'pointerup' && to !== -1 && to !== ids.indexOf(id)) moveTo(id, to)
  }
  return (
    <span
      className="drag"
      aria-hidden="true"
      data-drag={String(id)}
      onPointerDown={startDrag}
      onPointerMove={drag}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
    >
      ⠿
    </span>
  )
}
