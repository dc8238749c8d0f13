// What a process and its children cost, from /proc. Time at work depends little on who else uses the
// machine, so it is the figure to compare on a busy one. Elsewhere than on Linux nothing is known.
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

/** Milliseconds of processor time of a process, of its children, and of those that ended. */
export function cpuOf(pid) {
  if (pid === undefined) return Number.NaN
  const own = statOf(pid)
  if (!own) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === pid)
  return [own, ...children].reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS
}

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold spaces; the fields after it are numbers, the state first.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return undefined
  }
}

/** Megabytes of memory that a process holds. */
export function rssOf(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes) / 1024
}
