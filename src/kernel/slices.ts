import { setImmediate as turn } from 'node:timers/promises'

/** How long a loop may block the event loop. */
const SLICE_MS = 10

/** Long work that may be interrupted wherever it yields. */
export type Steps<T> = Generator<void, T>

/** Runs work to its end, and lets other work run in between. */
export async function runInSlices<T>(work: Steps<T>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - began < SLICE_MS) continue
    await turn()
    began = performance.now()
  }
}

/** Runs work to its end at once, for a program that does nothing else. */
export function runAtOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Maps a long list, and lets other work run in between. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = []
  let began = performance.now()
  for (const [index, item] of items.entries()) {
    results.push(map(item, index))
    if (performance.now() - began < SLICE_MS) continue
    await turn()
    began = performance.now()
  }
  return results
}
