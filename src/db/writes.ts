/** Reports the commits that changed rows. Listeners use them as hints that there may be work. */
export interface Writes {
  /** Calls the listener after each commit of this process that changed rows. */
  onWrite(listener: () => void): void
  /** Returns the number of these commits. */
  count(): number
  /** Called by the database session. */
  record(): void
  /** Calls the listener when a watch of commits has detected a commit of any process. */
  onAnyCommit(listener: () => void): void
  /** Called by each watch of commits with the snapshot that it read. */
  reportSnapshot(snapshot: string | undefined): void
}

export function createWrites(): Writes {
  const listeners: (() => void)[] = []
  const anyCommitListeners: (() => void)[] = []
  let count = 0
  let lastSnapshot: string | undefined
  return {
    onWrite: (listener) => void listeners.push(listener),
    count: () => count,
    record() {
      count++
      for (const listener of listeners) listener()
    },
    onAnyCommit: (listener) => void anyCommitListeners.push(listener),
    reportSnapshot(snapshot) {
      if (snapshot === lastSnapshot) return
      lastSnapshot = snapshot
      for (const listener of anyCommitListeners) listener()
    },
  }
}
