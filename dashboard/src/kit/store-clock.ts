import { useSyncExternalStore } from 'react'

/** How far the clock of the open store is ahead of this machine's: the clock of a test side can be moved. */
let ahead_ms = 0
const listeners = new Set<() => void>()

/** The time of the store's clock in the last answer of the server. */
export function setStoreTime(iso: string) {
  const next_ms = Date.parse(iso) - Date.now()
  // A second is the time of an answer; the shown time would not change.
  if (Math.abs(next_ms - ahead_ms) < 1_000) return
  ahead_ms = next_ms
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** How far the store's clock is ahead, in milliseconds. */
export const useStoreAhead = (): number => useSyncExternalStore(subscribe, () => ahead_ms)
