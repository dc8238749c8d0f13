import { useState } from 'react'

/** The newest import of a variant in this tab. It holds no key. */
export interface LastImport {
  import_id: string
  added: number
  /** Lines sent, and lines to send. They differ while it runs, and after it stopped. */
  sent: number
  all: number
  /** When its last call was answered, in milliseconds. */
  at: number
}

/** The record outlives a reload, so that a seller sees how far an import came, and can undo it. */
export function useLastImport(store: string, variant: number) {
  const name = `tradepost-import-${store}-${variant}`
  const [last, setLast] = useState(() => read(name))
  const change = (next: LastImport | undefined) => {
    setLast(next)
    if (next) sessionStorage.setItem(name, JSON.stringify(next))
    else sessionStorage.removeItem(name)
  }
  return [last, change] as const
}

function read(name: string): LastImport | undefined {
  const text = sessionStorage.getItem(name)
  return text === null ? undefined : (JSON.parse(text) as LastImport)
}
