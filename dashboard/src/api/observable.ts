/** Creates a value that components read with `useSyncExternalStore`. */
export function observable<Value>(initial: Value) {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: (): Value => value,
    set(next: Value) {
      value = next
      for (const listener of listeners) listener()
    },
    /** Returns the function that ends the subscription. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
