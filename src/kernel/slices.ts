import { setImmediate as turn } from 'node:timers/promises'

/** The longest time for which a loop may block the event loop. */
const SLICE_MS = 10

/** Long work that can be interrupted at each `yield`. */
export type Steps<T> = Generator<void, T>

/** Runs work in slices, between which other work of the event loop runs. */
export async function runInSlices<T>(work: Steps<T>): Promise<T> {
  let sliceStart = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - sliceStart < SLICE_MS) continue
    await turn()
    sliceStart = performance.now()
  }
}

/** Runs work without interruption, for a program that has no other work. */
export function runAtOnce<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Maps a long list in slices, between which other work of the event loop runs. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = []
  function* mapSteps() {
    for (const [index, item] of items.entries()) {
      results.push(map(item, index))
      yield
    }
  }
  await runInSlices(mapSteps())
  return results
}
