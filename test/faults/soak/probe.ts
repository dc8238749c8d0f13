import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { endChild } from '../../postgres/workplace.ts'
import type { SoakRecord } from './record.ts'

export const HEALTH_MAX_MS = 500
/** The bare server's calls this long before and after a slow call are shown next to it. */
const NEAR_MS = 1_000

interface Sample {
  target: 'program' | 'bare'
  origin: string
  at: number
  ms: number
  answer: string
}

/** Calls /healthz from a process of its own, ten times a second. */
export interface Probe {
  /** Null while the program is down. */
  aim(origin: string | null): void
  /** `max 12 ms, p99 4 ms` of the program and of the bare server. */
  summary(): string
  /** The slowest call during each fault, and of the bare server's. */
  worst(): string[]
  /** Records slow and failed calls as problems. */
  judge(): void
  close(): Promise<void>
}

export async function openProbe(record: SoakRecord): Promise<Probe> {
  const children: ChildProcess[] = []
  const begin = (file: string) => {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [] })
    children.push(child)
    return child
  }
  const bare = begin('bare-server.mjs')
  const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
  const prober = begin('probe-process.mjs')
  const samples: Record<Sample['target'], Sample[]> = { program: [], bare: [] }
  prober.on('message', (list) => {
    for (const sample of list as Sample[]) samples[sample.target].push(sample)
  })
  const work: { ms: number }[] = []
  begin('work-process.mjs').on('message', (message) => work.push(message as { ms: number }))
  prober.send({ bare: `http://127.0.0.1:${port}` })

  const whileUp = () => samples.program.filter(({ at, ms }) => !record.wasDown(at, at + ms))
  const faultsAt = ({ at, ms }: Pick<Sample, 'at' | 'ms'>) =>
    record.faultsOn(at, at + ms).join(', ') || afterFault(at)
  const afterFault = (at: number) => {
    const [last] = record.faultsBetween(at, at).slice(-1)
    return last === undefined ? 'no fault' : `no fault, just after ${last}`
  }
  const summary = () =>
    `healthz ${figures(whileUp())}; a bare server at the same moments ${figures(samples.bare)}; 20 ms of processor time took ${figures(work)}`

  return {
    aim: (origin) => void prober.send({ program: origin }),
    summary,
    worst() {
      const bare = worstBy(samples.bare)
      return [...worstBy(whileUp())]
        .sort(([, left], [, right]) => right - left)
        .map(
          ([fault, ms]) =>
            `${fault}: ${Math.round(ms)} ms (${Math.round(bare.get(fault) ?? 0)} ms)`,
        )
    },
    judge() {
      const slow = whileUp().filter(({ ms, answer }) => ms > HEALTH_MAX_MS || answer !== '200')
      if (slow.length === 0) return
      record.problem('health', `${slow.length} of ${whileUp().length} calls. ${summary()}`)
      const worst = slow.toSorted((left, right) => right.ms - left.ms).slice(0, 10)
      for (const sample of worst) record.problem('health', describeSample(sample))
    },
    async close() {
      await Promise.all(children.map((child) => endChild(child, 'SIGTERM')))
    },
  }

  function worstBy(list: readonly Sample[]): Map<string, number> {
    const worst = new Map<string, number>()
    for (const { at, ms } of list) {
      const faults = record.faultsOn(at, at + ms)
      for (const fault of faults.length > 0 ? faults : ['no fault']) {
        worst.set(fault, Math.max(worst.get(fault) ?? 0, ms))
      }
    }
    return worst
  }

  function describeSample({ at, ms, answer }: Sample): string {
    const near = samples.bare.filter(
      (other) => other.at >= at - NEAR_MS && other.at <= at + ms + NEAR_MS,
    )
    const faults = faultsAt({ at, ms })
    const time = new Date(at).toISOString().slice(11, 23)
    return `${time} ${Math.round(ms)} ms (${answer}) during ${faults}; bare server ${figures(near)}`
  }
}

function figures(samples: readonly { ms: number }[]): string {
  const sorted = samples.map(({ ms }) => ms).sort((left, right) => left - right)
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
  return `max ${at(1)} ms, p99 ${at(0.99)} ms, p50 ${at(0.5)} ms of ${sorted.length}`
}
