// Reads processor time and memory of processes from /proc, which only Linux has. Processor time depends little
// on other load, so it can be compared on a busy machine.
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

/** Returns the processor time of a process and its children in milliseconds, including ended children. */
export function cpuOf(pid) {
  if (pid === undefined) return Number.NaN
  const process = statOf(pid)
  if (!process) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === pid)
  return [process, ...children].reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS
}

/**
 * Returns a function that reads the processor time of processes and their children in milliseconds. `cpuOf` counts
 * ticks of 10 ms; this function counts nanoseconds. An ended thread counts with its last value.
 */
export function openMeter(pids) {
  const timeByThread = new Map()
  return () => {
    const allPids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    for (const pid of allPids) {
      if (pids.includes(Number(pid)) || pids.includes(statOf(pid)?.parent))
        readThreads(timeByThread, pid)
    }
    return [...timeByThread.values()].reduce((sum, time) => sum + time, 0)
  }
}

function readThreads(timeByThread, pid) {
  try {
    for (const id of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8')
      timeByThread.set(id, Number(text.split(' ')[0]) / 1e6)
    }
  } catch {
    // The process has ended.
  }
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

/** Returns the resident memory of a process in MiB. */
export function rssOf(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes) / 1024
}
