/** Calls its listeners after each commit of this process that changed rows: a hint to look for work. */
export interface Writes {
  onWrite(listener: () => void): void
  /** The number of such commits. */
  count(): number
  /** Called by the database session. */
  record(): void
}

export function createWrites(): Writes {
  const listeners: (() => void)[] = []
  let count = 0
  return {
    onWrite: (listener) => void listeners.push(listener),
    count: () => count,
    record() {
      count++
      for (const listener of listeners) listener()
    },
  }
}
