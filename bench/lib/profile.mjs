// Reads a profile of `node --cpu-prof`: where the process spent its own time.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const IDLE = ['(idle)', '(program)', '(root)']

/** Functions and their share of the busy time, largest first. */
export function selfTimes(folder, count) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  const profiles = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const [{ nodes, samples, timeDeltas }] = profiles.sort((a, b) => b.nodes.length - a.nodes.length)
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const sums = new Map()
  let sum = 0
  for (const [at, id] of samples.entries()) {
    const { functionName, url, lineNumber } = byId.get(id)
    if (IDLE.includes(functionName)) continue
    const file = url.replace(/^.*\/(node_modules|dist)\//, '$1/').replace(/^node_modules\//, '')
    const name = `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
    sums.set(name, (sums.get(name) ?? 0) + timeDeltas[at])
    sum += timeDeltas[at]
  }
  const largest = [...sums].sort((a, b) => b[1] - a[1]).slice(0, count)
  return largest.map(([name, time]) => ({ name, share: time / sum }))
}
