/** The time during which a fault was active. */
export interface FaultWindow {
  name: string
  from: number
  /** Undefined while the fault is active. */
  to?: number
  /** True if the process was not running in that time. */
  isDown: boolean
}

/** The events and problems of a run. */
export interface SoakRecord {
  counts: Map<string, number>
  windows: FaultWindow[]
  problems: Map<Check, string[]>
  add(name: string, by?: number): void
  problem(check: Check, text: string): void
  open(name: string, isDown?: boolean): FaultWindow
  close(window: FaultWindow): void
  /** Returns the faults that may affect a call: those active between two times, or ended shortly before. */
  possibleFaults(from: number, to: number): string[]
  /** Returns true if the process was down at any time between two times. */
  wasDown(from: number, to: number): boolean
  /** Returns the faults that were active between two times. */
  faultsDuring(from: number, to: number): string[]
  /** Returns every fault with its start and duration. */
  timeline(): string
  /** Returns the time since the start as `mm:ss`. */
  elapsed(at?: number): string
}

export const CHECKS = {
  doctor: 'tradepost doctor found no fault',
  events: 'every committed event was delivered at least once',
  stock: 'no stock key was sold twice, and no product beyond its stock',
  orders: 'every acknowledged order exists, and no call created two orders',
  payments: 'no order was paid twice',
  answers: 'no answer was a 5xx, except 503 while a fault was active',
  connections: 'no client lost its connection while the process was up',
  sessions: 'no session of a client program failed without a fault',
  health: 'no call to /healthz took more than 500 ms while the process was up',
  process: 'the process ended only if it was killed, and stopped with exit code 0',
} as const
export type Check = keyof typeof CHECKS

/** The time after a fault in which pools reconnect and queues are drained. It counts as part of the fault. */
const RECOVERY_MS = 3_000
const PROBLEMS_MAX = 50

export function openRecord(): SoakRecord {
  const start = Date.now()
  const counts = new Map<string, number>()
  const windows: FaultWindow[] = []
  const problems = new Map<Check, string[]>()
  const windowsBetween = (from: number, to: number) =>
    windows.filter((window) => window.from <= to && (window.to ?? Infinity) >= from)
  return {
    counts,
    windows,
    problems,
    add(name, by = 1) {
      counts.set(name, (counts.get(name) ?? 0) + by)
    },
    problem(check, text) {
      const texts = problems.get(check) ?? []
      problems.set(check, texts)
      if (texts.length < PROBLEMS_MAX) texts.push(text.replace(/\s+/g, ' ').slice(0, 400))
    },
    open(name, isDown = false) {
      const window: FaultWindow = { name, from: Date.now(), isDown }
      windows.push(window)
      return window
    },
    close(window) {
      window.to = Date.now()
      if (!window.isDown) return
      const name = 'seconds down'
      counts.set(name, (counts.get(name) ?? 0) + Math.round((window.to - window.from) / 1_000))
    },
    possibleFaults: (from, to) => windowsBetween(from - RECOVERY_MS, to).map(({ name }) => name),
    faultsDuring: (from, to) => windowsBetween(from, to).map(({ name }) => name),
    wasDown: (from, to) => windowsBetween(from, to).some(({ isDown }) => isDown),
    timeline: () => windows.map(describe).join(', '),
    elapsed,
  }

  function describe({ name, from, to = Date.now() }: FaultWindow): string {
    return `${elapsed(from)} ${name} (${((to - from) / 1_000).toFixed(1)} s)`
  }

  function elapsed(at = Date.now()): string {
    const seconds = Math.floor((at - start) / 1_000)
    const twoDigits = (value: number) => String(value).padStart(2, '0')
    return `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`
  }
}
