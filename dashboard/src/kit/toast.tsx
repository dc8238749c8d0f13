import { useEffect, useSyncExternalStore } from 'react'
import { observable } from '../api/observable.ts'

interface Toast {
  text: string
  undo?: { label: string; act: () => void }
}

const shownToast = observable<Toast | undefined>(undefined)
const SHOWN_MS = 8_000
/** The button is at the end of the page, which takes time to reach by keyboard. */
const UNDO_MS = 30_000

/** Shows the result of an action at the edge of the page, and offers to undo it if possible. */
export const toast = (text: string, undo?: Toast['undo']) =>
  shownToast.set({ text, ...(undo && { undo }) })

export function Toasts() {
  const current = useSyncExternalStore(shownToast.subscribe, shownToast.get)
  useEffect(() => {
    if (!current) return
    const timer = setTimeout(() => shownToast.set(undefined), current.undo ? UNDO_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [current])
  const pressUndo = () => {
    current?.undo?.act()
    shownToast.set(undefined)
    // The button disappears with the toast, so the focus would be lost.
    setTimeout(() => {
      if (document.activeElement === document.body) document.querySelector('h1')?.focus()
    })
  }
  return (
    <div className="toasts" role="status">
      {current && (
        <div className="toast">
          {current.text}{' '}
          {current.undo && (
            <button type="button" onClick={pressUndo}>
              {current.undo.label}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
