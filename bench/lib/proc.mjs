// Processor time and memory of a process and its children, from /proc. Processor time depends little on
// other load, so it is the figure to compare on a busy machine. Only Linux has it.
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

/** Processor time in milliseconds of a process and its children, including ended ones. */
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
    // The name in brackets may contain spaces. The state and the numbers follow it.
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
