import { buildOnce } from '../../process/build-once.ts'
import { readOptions, type SoakOptions, USAGE } from './options.ts'
import { CHECKS, type Check, openRecord, type SoakRecord } from './record.ts'
import { lineOf, runSoak } from './run-soak.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** The checks come after the load; a run that hangs in them is ended. */
const CHECKS_MAX_MS = 15 * 60_000
const SHOWN = 12

/** Resolves to the exit code. */
export async function main(args: string[]): Promise<number> {
  let options: SoakOptions
  try {
    options = readOptions(args)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`)
    return 2
  }
  const { seed, databases, load_ms, faults } = options
  await buildOnce()
  say(`soak of ${load_ms / 1_000} s on ${databases.join(' and ')}, --seed ${seed}`)
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isInterrupted = true
    })
  }
  setTimeout(() => {
    say('FAILED: soak: it did not end in time')
    say('0 passed, 1 failed')
    process.exit(1)
  }, load_ms + CHECKS_MAX_MS).unref()

  const result = { passed: 0, failed: 0 }
  for (const kind of databases) {
    if (isInterrupted) break
    const record = openRecord()
    const share_ms = load_ms / databases.length
    try {
      const soak = {
        kind,
        seed,
        faults,
        record,
        say,
        load_ms: share_ms,
        isInterrupted: () => isInterrupted,
      }
      await runSoak(soak)
    } catch (error) {
      // Checks that were not reached prove nothing.
      result.failed++
      say(`FAILED: soak, ${kind}, --seed ${seed}: ${oneLine((error as Error).stack ?? '')}`)
      reportProblems(record)
      continue
    }
    say(`${kind} in all: ${lineOf(record)}`)
    if (record.counts.has('left out') && record.problems.size === 0) continue
    report(`${kind}, --seed ${seed}`, record, result)
    if (record.problems.size > 0) say(`${kind} faults: ${record.timeline()}`)
  }
  say(`${result.passed} passed, ${result.failed} failed`)
  return result.failed === 0 && !isInterrupted ? 0 : 1
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 1_000)

function reportProblems({ problems }: SoakRecord) {
  for (const [check, texts] of problems) {
    for (const text of texts.slice(0, SHOWN)) say(`  ${check}: ${text}`)
  }
}

function report(
  where: string,
  { problems }: SoakRecord,
  result: { passed: number; failed: number },
) {
  for (const [check, title] of Object.entries(CHECKS) as [Check, string][]) {
    const texts = problems.get(check)
    if (!texts) {
      result.passed++
      say(`ok: soak, ${where}: ${title}`)
      continue
    }
    result.failed++
    say(`FAILED: soak, ${where}: ${title}: ${texts[0]}`)
    for (const text of texts.slice(1, SHOWN)) say(`  ${text}`)
    if (texts.length > SHOWN) say(`  and ${texts.length - SHOWN} more`)
  }
}
