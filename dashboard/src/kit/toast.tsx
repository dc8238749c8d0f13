import { useEffect, useSyncExternalStore } from 'react'

interface Toast {
  text: string
  undo?: { label: string; act: () => void }
}

let shown: Toast | undefined
const listeners = new Set<() => void>()
const SHOWN_MS = 8_000

function set(next: Toast | undefined) {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a result from elsewhere on the page, and offers to undo it if possible. */
export const toast = (text: string, undo?: Toast['undo']) => set({ text, ...(undo && { undo }) })

export function Toasts() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
  useEffect(() => {
    if (!current) return
    const timer = setTimeout(() => set(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [current])
  const undo = () => {
    current?.undo?.act()
    set(undefined)
  }
  return (
    <div className="toasts" role="status">
      {current && (
        <div className="toast">
          {current.text}{' '}
          {current.undo && (
            <button type="button" onClick={undo}>
              {current.undo.label}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
