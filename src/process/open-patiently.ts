import type { Config } from '../config/config.ts'
import type { Opening } from '../db/embedded/engine.ts'
import { SECOND_MS } from '../kernel/time.ts'
import { StartError } from './start-error.ts'

const SILENCE_MS = 5 * SECOND_MS

type Patience = Pick<Config, 'databaseUrl' | 'dataDir' | 'startTimeout_ms'>

/**
 * Opens the embedded database, and ends it after the start timeout. After 5 s it prints the current
 * step (decision 130). Servers have their own timeout.
 */
export async function openPatiently<T>(
  { databaseUrl, dataDir, startTimeout_ms }: Patience,
  open: (opening?: Opening) => Promise<T>,
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<T> {
  if (databaseUrl) return open()
  const timeout_s = startTimeout_ms / SECOND_MS
  const seconds = `${timeout_s} s`
  let step = 'Opening the embedded database'
  let silent = true
  const tell = () => say(`${step} in ${dataDir}. This may take up to ${seconds}.`)
  const progressTimer = setTimeout(() => {
    silent = false
    tell()
  }, SILENCE_MS)
  const overdue = new AbortController()
  const patience = setTimeout(() => overdue.abort(), startTimeout_ms)
  const onStep = (next: string) => {
    step = next
    if (!silent) tell()
  }
  let finish = () => {}
  const opened = new Promise<void>((resolve) => {
    finish = resolve
  })
  try {
    return await open({ signal: overdue.signal, opened, onStep })
  } catch (error) {
    if (!overdue.signal.aborted) throw error
    throw new StartError(
      `The embedded database did not start within ${seconds}. ` +
        'The machine may be overloaded; start again, or raise TRADEPOST_START_TIMEOUT.',
      1,
    )
  } finally {
    clearTimeout(progressTimer)
    clearTimeout(patience)
    finish()
  }
}
