import { setImmediate as turn } from 'node:timers/promises'

/** How long a loop may block the event loop. */
const SLICE_MS = 10

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
