import { setTimeout as pause } from 'node:timers/promises'
import { CommandError, type Input, type Paint, type Terminal, text } from '../../../command.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { ApiCall } from './schema.ts'
import { NEWEST, openTail } from './tail.rules.ts'

const LINES_DEFAULT = 20
/** Calls are written to the log each second. */
const ASK_EVERY_MS = SECOND_MS
/** How long a server that is started anew is waited for. */
const AWAY_MAX_MS = 60 * SECOND_MS

/** At the terminal: shows each call of the store once, until Ctrl+C. */
export async function tailCalls(terminal: Terminal): Promise<void> {
  const { input, json, paint, say, signal } = terminal
  const tail = openTail<ApiCall>(linesOf(input))
  // The first answer is not repeated: a wrong store or status is refused at once.
  for (let page = await ask(terminal); ; page = await askPatiently(terminal)) {
    const { calls, missed } = tail.add(page)
    if (missed && !json)
      say(paint('dim', `(more than ${NEWEST} calls a second: some are left out)`))
    for (const call of calls) say(json ? JSON.stringify(call) : lineOf(call, paint))
    await pause(ASK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}

const ask = ({ input, signal, ask: send }: Terminal) => send(input, signal) as Promise<ApiCall[]>

async function askPatiently(terminal: Terminal): Promise<ApiCall[]> {
  const { signal } = terminal
  const until = performance.now() + AWAY_MAX_MS
  for (;;) {
    try {
      return await ask(terminal)
    } catch (error) {
      if (signal.aborted) return []
      if (performance.now() > until) throw error
      await pause(ASK_EVERY_MS)
    }
  }
}

function linesOf(input: Input): number {
  const given = text(input, 'lines') ?? String(LINES_DEFAULT)
  const lines = Number(given)
  if (/^\d+$/.test(given) && lines <= NEWEST) return lines
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
