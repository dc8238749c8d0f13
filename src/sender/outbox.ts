/**
 * Writes what was begun in one turn of the event loop at its end, one right after the other: receivers
 * that are near are woken once by many, not once by each, and nothing waits longer than that turn.
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
