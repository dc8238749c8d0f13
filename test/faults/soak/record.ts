/** A stretch of time during which a fault was on. */
export interface FaultWindow {
  name: string
  from: number
  /** Undefined while the fault is on. */
  to?: number
  /** True if the process was not running in that time. */
  isDown: boolean
}

/** Everything that happened in a run, and what must not have happened. */
export interface SoakRecord {
  counts: Map<string, number>
  windows: FaultWindow[]
  problems: Map<Check, string[]>
  add(name: string, by?: number): void
  problem(check: Check, text: string): void
  open(name: string, isDown?: boolean): FaultWindow
  close(window: FaultWindow): void
  /** The faults that were on at any time between two moments, or were over only just before. */
  faultsBetween(from: number, to: number): string[]
  /** Returns true if the process was down at some time between two moments. */
  wasDown(from: number, to: number): boolean
  /** The faults that were on between two moments, without those that were over before. */
  faultsOn(from: number, to: number): string[]
  /** Every fault with its beginning and how long it was on. */
  timeline(): string
  elapsed(at?: number): string
}

export const CHECKS = {
  doctor: 'tradepost doctor is clean',
  events: 'every committed event was delivered at least once',
  stock: 'no stock key was sold twice, and no product beyond its stock',
  orders: 'every acknowledged order is there, and none was made twice',
  payments: 'no order was paid twice',
  answers: 'no answer was a 5xx, except 503 while a fault was on',
  connections: 'no client lost its connection while the process was up',
  sessions: 'client programs were served and signed answers were valid',
  health: 'no call to /healthz took more than 500 ms while the process was up',
  process: 'the process ended only if it was killed, and stopped with exit code 0',
} as const
export type Check = keyof typeof CHECKS

/** Recovery belongs to the fault: pools connect again, queues empty. */
const RECOVERY_MS = 3_000
const PROBLEMS_KEPT = 50

export function openRecord(): SoakRecord {
  const start = Date.now()
  const counts = new Map<string, number>()
  const windows: FaultWindow[] = []
  const problems = new Map<Check, string[]>()
  const within = (from: number, to: number) =>
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
      if (texts.length < PROBLEMS_KEPT) texts.push(text.replace(/\s+/g, ' ').slice(0, 400))
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
    faultsBetween: (from, to) => within(from - RECOVERY_MS, to).map(({ name }) => name),
    faultsOn: (from, to) => within(from, to).map(({ name }) => name),
    wasDown: (from, to) => within(from, to).some(({ isDown }) => isDown),
    timeline: () => windows.map(describe).join(', '),
    elapsed,
  }

  function describe({ name, from, to = Date.now() }: FaultWindow): string {
    return `${elapsed(from)} ${name} (${((to - from) / 1_000).toFixed(1)} s)`
  }

  function elapsed(at = Date.now()): string {
    const seconds = Math.floor((at - start) / 1_000)
    const two = (value: number) => String(value).padStart(2, '0')
    return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
  }
}
