import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { endChild } from '../../postgres/workplace.ts'
import type { SoakRecord } from './record.ts'

const HEALTH_MAX_MS = 500
/** The report of a slow call contains the calls of the bare server within this time before and after. */
const NEAR_MS = 1_000

interface Sample {
  target: 'program' | 'bare'
  origin: string
  /** The start of the call, in milliseconds since 1970. */
  at: number
  /** The duration of the call. */
  ms: number
  answer: string
}

/** Calls /healthz from a separate process, ten times a second. */
export interface Probe {
  /** Sets the origin of the program, which is null while the program is not running. */
  setOrigin(origin: string | null): void
  /** Returns the durations of the program and of the bare server, such as `max 12 ms, p99 4 ms`. */
  summary(): string
  /** Returns the longest duration during each fault, with that of the bare server. */
  slowestByFault(): string[]
  /** Records slow and failed calls as problems. */
  checkDurations(): void
  close(): Promise<void>
}

export async function openProbe(record: SoakRecord): Promise<Probe> {
  const children: ChildProcess[] = []
  const startChild = (file: string) => {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] })
    children.push(child)
    return child
  }
  const bareServer = startChild('bare-server.mjs')
  const [{ port }] = (await once(bareServer, 'message')) as [{ port: number }]
  const prober = startChild('probe-process.mjs')
  const samples: Record<Sample['target'], Sample[]> = { program: [], bare: [] }
  prober.on('message', (list) => {
    for (const sample of list as Sample[]) samples[sample.target].push(sample)
  })
  const workDurations: { ms: number }[] = []
  startChild('work-process.mjs').on('message', (message) => {
    workDurations.push(message as { ms: number })
  })
  prober.send({ bare: `http://127.0.0.1:${port}` })

  const samplesWhileUp = () => samples.program.filter(({ at, ms }) => !record.wasDown(at, at + ms))
  const faultsAt = ({ at, ms }: Pick<Sample, 'at' | 'ms'>) =>
    record.faultsDuring(at, at + ms).join(', ') || afterFault(at)
  const afterFault = (at: number) => {
    const [last] = record.possibleFaults(at, at).slice(-1)
    return last === undefined ? 'no fault' : `no fault, just after ${last}`
  }
  const summary = () =>
    `healthz ${figures(samplesWhileUp())}; a bare server at the same times ${figures(samples.bare)}; 20 ms of processor time took ${figures(workDurations)}`

  return {
    setOrigin: (origin) => void prober.send({ program: origin }),
    summary,
    slowestByFault() {
      const bare = longestByFault(samples.bare)
      return [...longestByFault(samplesWhileUp())]
        .sort(([, left], [, right]) => right - left)
        .map(
          ([fault, ms]) =>
            `${fault}: ${Math.round(ms)} ms (${Math.round(bare.get(fault) ?? 0)} ms)`,
        )
    },
    checkDurations() {
      const failures = samplesWhileUp().filter(
        ({ ms, answer }) => ms > HEALTH_MAX_MS || answer !== '200',
      )
      if (failures.length === 0) return
      record.problem(
        'health',
        `${failures.length} of ${samplesWhileUp().length} calls. ${summary()}`,
      )
      const slowest = failures.toSorted((left, right) => right.ms - left.ms).slice(0, 10)
      for (const sample of slowest) record.problem('health', describeSample(sample))
    },
    async close() {
      await Promise.all(children.map((child) => endChild(child, 'SIGTERM')))
    },
  }

  function longestByFault(list: readonly Sample[]): Map<string, number> {
    const longest = new Map<string, number>()
    for (const { at, ms } of list) {
      const faults = record.faultsDuring(at, at + ms)
      for (const fault of faults.length > 0 ? faults : ['no fault']) {
        longest.set(fault, Math.max(longest.get(fault) ?? 0, ms))
      }
    }
    return longest
  }

  function describeSample({ at, ms, answer }: Sample): string {
    const nearSamples = samples.bare.filter(
      (other) => other.at >= at - NEAR_MS && other.at <= at + ms + NEAR_MS,
    )
    const faults = faultsAt({ at, ms })
    const time = new Date(at).toISOString().slice(11, 23)
    return `${time} ${Math.round(ms)} ms (${answer}) during ${faults}; bare server ${figures(nearSamples)}`
  }
}

function figures(samples: readonly { ms: number }[]): string {
  const sorted = samples.map(({ ms }) => ms).sort((left, right) => left - right)
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
  return `max ${at(1)} ms, p99 ${at(0.99)} ms, p50 ${at(0.5)} ms of ${sorted.length}`
}
