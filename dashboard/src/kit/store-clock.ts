import { useSyncExternalStore } from 'react'
import { observable } from '../api/observable.ts'

/**
 * The lead of the open store's clock over this machine's, in milliseconds. The clock of a test side can be moved
 * forward.
 */
const clockLead_ms = observable(0)

/** Updates the lead from the store's time, as an answer of the server states it. */
export function setStoreTime(iso: string) {
  const lead_ms = Date.parse(iso) - Date.now()
  // An answer is up to a second old, so a smaller difference is no change and must not render the page again.
  if (Math.abs(lead_ms - clockLead_ms.get()) >= 1_000) clockLead_ms.set(lead_ms)
}

/** The lead of the store's clock over this machine, in milliseconds. */
export const useStoreClockLead = (): number =>
  useSyncExternalStore(clockLead_ms.subscribe, clockLead_ms.get)

/** The time of the store's clock when the component renders, in milliseconds since 1970. */
export const useStoreNow = (): number => Date.now() + useStoreClockLead()
