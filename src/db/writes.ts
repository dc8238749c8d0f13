import { SECOND_MS } from '../kernel/time.ts'

/** Reports the commits that changed rows. Listeners use them as hints that there may be work. */
export interface Writes {
  /** Calls the listener after each commit of this process that changed rows. */
  onWrite(listener: () => void): void
  /** Returns the number of these commits. */
  count(): number
  /** Called by the database session. */
  record(): void
  /** Called by the database session when a statement failed because the disk is full. */
  recordFullDisk(): void
  /**
   * Returns true if a statement failed in the past 30 seconds because the disk is full, and no commit has changed
   * rows since. It ends automatically, because a process without calls may write nothing for hours.
   */
  isDiskFull(): boolean
  /** Calls the listener when a watch of commits has detected a commit of any process. */
  onAnyCommit(listener: () => void): void
  /** Called by each watch of commits with the snapshot that it read. */
  reportSnapshot(snapshot: string | undefined): void
}

/** The time for which a failed statement counts. Jobs write more often while there is work. */
const FULL_DISK_MS = 30 * SECOND_MS

/** `now_ms` is the time of the process, which never jumps. */
export function createWrites(now_ms: () => number = () => performance.now()): Writes {
  const listeners: (() => void)[] = []
  const anyCommitListeners: (() => void)[] = []
  let count = 0
  let lastSnapshot: string | undefined
  let fullDiskAt_ms: number | undefined
  return {
    onWrite: (listener) => void listeners.push(listener),
    count: () => count,
    record() {
      count++
      fullDiskAt_ms = undefined
      for (const listener of listeners) listener()
    },
    recordFullDisk() {
      fullDiskAt_ms = now_ms()
    },
    isDiskFull: () => fullDiskAt_ms !== undefined && now_ms() - fullDiskAt_ms < FULL_DISK_MS,
    onAnyCommit: (listener) => void anyCommitListeners.push(listener),
    reportSnapshot(snapshot) {
      if (snapshot === lastSnapshot) return
      lastSnapshot = snapshot
      for (const listener of anyCommitListeners) listener()
    },
  }
}
