import { SEED } from '../../chance.mjs'
import { buildOnce } from '../../process/build-once.ts'
import { readOptions, type SoakOptions, USAGE } from './options.ts'
import { CHECKS, type Check, openRecord, type SoakRecord } from './record.ts'
import { countsText, runSoak } from './run-soak.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** The longest time for starts and checks, in addition to the load. A run that takes longer is ended. */
const CHECKS_MAX_MS = 15 * 60_000
const PROBLEMS_SHOWN_MAX = 12

/** Runs the soak with the arguments of the command line, and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  let options: SoakOptions
  try {
    options = readOptions(args)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`)
    return 2
  }
  const { databases, load_ms, faults } = options
  await buildOnce()
  print(`soak of ${load_ms / 1_000} s on ${databases.join(' and ')}, SEED=${SEED}`)
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isInterrupted = true
    })
  }
  setTimeout(() => {
    print('FAILED: soak: it did not end in time')
    print('0 passed, 1 failed')
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
        seed: SEED,
        faults,
        record,
        print,
        load_ms: share_ms,
        isInterrupted: () => isInterrupted,
      }
      await runSoak(soak)
    } catch (error) {
      // A run that ended before its checks has failed.
      result.failed++
      print(`FAILED: soak, ${kind}, SEED=${SEED}: ${toOneLine((error as Error).stack ?? '')}`)
      printProblems(record)
      continue
    }
    print(`${kind} in all: ${countsText(record)}`)
    if (record.counts.has('left out') && record.problems.size === 0) continue
    printChecks(`${kind}, SEED=${SEED}`, record, result)
    if (record.problems.size > 0) print(`${kind} faults: ${record.timeline()}`)
  }
  print(`${result.passed} passed, ${result.failed} failed`)
  return result.failed === 0 && !isInterrupted ? 0 : 1
}

const toOneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 1_000)

function printProblems({ problems }: SoakRecord) {
  for (const [check, texts] of problems) {
    for (const text of texts.slice(0, PROBLEMS_SHOWN_MAX)) print(`  ${check}: ${text}`)
  }
}

/** Prints the result of each check, and counts the results. */
function printChecks(
  run: string,
  { problems }: SoakRecord,
  result: { passed: number; failed: number },
) {
  for (const [check, title] of Object.entries(CHECKS) as [Check, string][]) {
    const texts = problems.get(check)
    if (!texts) {
      result.passed++
      print(`ok: soak, ${run}: ${title}`)
      continue
    }
    result.failed++
    print(`FAILED: soak, ${run}: ${title}: ${texts[0]}`)
    for (const text of texts.slice(1, PROBLEMS_SHOWN_MAX)) print(`  ${text}`)
    if (texts.length > PROBLEMS_SHOWN_MAX) print(`  and ${texts.length - PROBLEMS_SHOWN_MAX} more`)
  }
}
