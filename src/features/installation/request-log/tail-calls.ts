import { setTimeout as pause } from 'node:timers/promises'
import { CommandError, type Input, type Paint, type Terminal, text } from '../../../command.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { ApiCall } from './schema.ts'
import { NEWEST, openTail } from './tail.rules.ts'

const LINES_DEFAULT = 20
/** Calls are written to the log each second. */
const ASK_EVERY_MS = SECOND_MS
/** The time for which a restarting server is awaited. */
const AWAY_MAX_MS = 60 * SECOND_MS

/** At the terminal: shows each call of the store once, until Ctrl+C. */
export async function tailCalls(terminal: Terminal): Promise<void> {
  const { input, json, paint, say, signal } = terminal
  const tail = openTail<ApiCall>(linesOf(input))
  // The first question is not repeated: a wrong store or status is refused at once.
  for (let patience_ms = 0; ; patience_ms = AWAY_MAX_MS) {
    const page = await ask(terminal, patience_ms)
    if (signal.aborted) return
    const { calls, missed } = tail.add(page)
    if (missed && !json)
      say(paint('dim', `(more than ${NEWEST} calls a second: some are left out)`))
    for (const call of calls) say(json ? JSON.stringify(call) : lineOf(call, paint))
    await rest(signal)
  }
}

/** Waits until the next question, or until Ctrl+C. */
const rest = (signal: AbortSignal) =>
  pause(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined)

/** Asks again for this time while the server is away. Answers nothing after Ctrl+C. */
async function ask(terminal: Terminal, patience_ms: number): Promise<ApiCall[]> {
  const { input, signal } = terminal
  for (const until = performance.now() + patience_ms; ; await rest(signal)) {
    if (signal.aborted) return []
    try {
      return (await terminal.ask(input, signal)) as ApiCall[]
    } catch (error) {
      if (!signal.aborted && performance.now() >= until) throw error
    }
  }
}

function linesOf(input: Input): number {
  const option = text(input, 'lines') ?? String(LINES_DEFAULT)
  const lines = Number(option)
  if (/^\d+$/.test(option) && lines <= NEWEST) return lines
  throw new CommandError(`--lines: write a number from 0 to ${NEWEST}.`, 2)
}

function lineOf(call: ApiCall, paint: Paint): string {
  const { created_at, status, duration_ms, method, path, error_code, api_key, request_id } = call
  const style = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const took = `${duration_ms} ms`.padStart(8)
  const refusal = error_code ? `  ${error_code}` : ''
  const key = paint('dim', `…${api_key.last4}  ${request_id}`)
  const time = created_at.slice(11, 19)
  return `${time}  ${paint(style, String(status))}${took}  ${method.padEnd(6)} ${path}${refusal}  ${key}`
}
