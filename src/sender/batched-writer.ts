/**
 * Collects the requests of one turn of the event loop, and writes them at its end. A receiver on the same
 * machine then wakes once for many requests. The delay is at most one turn.
 */
export class BatchedWriter {
  #writes: (() => void)[] = []

  add(write: () => void): void {
    if (this.#writes.push(write) === 1) setImmediate(() => this.#flush())
  }

  #flush(): void {
    const writes = this.#writes
    this.#writes = []
    for (const write of writes) write()
  }
}
