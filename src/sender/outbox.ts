/**
 * Writes all requests that began in one turn of the event loop at the end of that turn. A receiver
 * on the same machine then wakes once for many requests. The delay is at most that turn.
 */
export class Outbox {
  #writes: (() => void)[] = []

  add(write: () => void): void {
    if (this.#writes.push(write) === 1) setImmediate(() => this.#empty())
  }

  #empty(): void {
    const writes = this.#writes
    this.#writes = []
    for (const write of writes) write()
  }
}
