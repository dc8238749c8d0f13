// Reads a profile of `node --cpu-prof`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const IDLE = ['(idle)', '(program)', '(root)']

/** Returns the functions with the largest shares of the busy time. The functions that they call are not included. */
export function selfTimes(folder, count) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  const profiles = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  // The profile with the most functions is the one of the main thread.
  const [{ nodes, samples, timeDeltas }] = profiles.sort(
    (profile, other) => other.nodes.length - profile.nodes.length,
  )
  const frameById = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const timeByFunction = new Map()
  let total = 0
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frameById.get(id)
    if (IDLE.includes(functionName)) continue
    const file = url.replace(/^.*\/(node_modules|dist)\//, '$1/').replace(/^node_modules\//, '')
    const name = `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
    timeByFunction.set(name, (timeByFunction.get(name) ?? 0) + timeDeltas[index])
    total += timeDeltas[index]
  }
  const largest = [...timeByFunction].sort(([, time], [, other]) => other - time).slice(0, count)
  return largest.map(([name, time]) => ({ name, share: time / total }))
}
