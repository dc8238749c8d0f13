import { useState } from 'react'

/** The newest import of a variant in this tab. It contains no keys. */
export interface LastImport {
  import_id: string
  added: number
  /** Lines that were sent, and all lines. They differ while the import runs, and after it stopped. */
  sentLines: number
  allLines: number
  /** The time of the last answer, in milliseconds since 1970. */
  answered_ms: number
}

/**
 * The newest import, stored for the tab. After a reload the seller still sees its progress and can
 * undo it.
 */
export function useLastImport(storeId: string, variantId: number) {
  const storageKey = `tradepost-import-${storeId}-${variantId}`
  const [lastImport, setLastImport] = useState(() => readStored(storageKey))
  const change = (next: LastImport | undefined) => {
    setLastImport(next)
    if (next) sessionStorage.setItem(storageKey, JSON.stringify(next))
    else sessionStorage.removeItem(storageKey)
  }
  return [lastImport, change] as const
}

function readStored(storageKey: string): LastImport | undefined {
  const text = sessionStorage.getItem(storageKey)
  return text === null ? undefined : (JSON.parse(text) as LastImport)
}
