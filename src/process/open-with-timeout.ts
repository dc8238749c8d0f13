import type { Config } from '../config/config.ts'
import type { Opening } from '../db/embedded/engine.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { StartError } from './start-error.ts'

const PROGRESS_AFTER_MS = 5 * SECOND_MS

type OpeningConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'startTimeout_ms'>

/**
 * Opens the embedded database, and ends it at the start timeout. After 5 s it prints the current step
 * (decision 130). A database server is opened without this timeout.
 */
export async function openWithTimeout<T>(
  { databaseUrl, dataDir, startTimeout_ms }: OpeningConfig,
  open: (opening?: Opening) => Promise<T>,
  printLine: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<T> {
  if (databaseUrl) return open()
  const timeout_s = startTimeout_ms / SECOND_MS
  const seconds = `${timeout_s} s`
  let step = 'Opening the embedded database'
  let isSilent = true
  const report = () => printLine(`${step} in ${dataDir}. This may take up to ${seconds}.`)
  const progressTimer = setTimeout(() => {
    isSilent = false
    report()
  }, PROGRESS_AFTER_MS)
  const timeout = new AbortController()
  const timeoutTimer = setTimeout(() => timeout.abort(), startTimeout_ms)
  const onStep = (nextStep: string) => {
    step = nextStep
    if (!isSilent) report()
  }
  let finish = () => {}
  const opened = new Promise<void>((resolve) => {
    finish = resolve
  })
  try {
    return await open({ signal: timeout.signal, opened, onStep })
  } catch (error) {
    if (!timeout.signal.aborted) throw error
    throw new StartError(
      `The embedded database did not start within ${seconds}. ` +
        'The machine may be overloaded; start again, or raise TRADEPOST_START_TIMEOUT.',
      1,
    )
  } finally {
    clearTimeout(progressTimer)
    clearTimeout(timeoutTimer)
    finish()
  }
}
