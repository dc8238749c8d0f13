import { setTimeout as pause } from 'node:timers/promises'
import {
  CommandError,
  type Input,
  isFinalRefusal,
  type Paint,
  type Terminal,
  text,
} from '../../../command.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { ApiCall } from './schema.ts'
import { CALLS_PER_POLL, createTail } from './tail.rules.ts'

const LINES_DEFAULT = 20
/** The interval of polls: calls are written to the log each second. */
const POLL_MS = SECOND_MS
/** A remote poll uses a call of the limit of 300 a minute. */
const REMOTE_POLL_MS = 3 * SECOND_MS
/** The time for which polls are repeated while the server restarts. */
const RESTART_MAX_MS = 60 * SECOND_MS

/** Shows each new call of the store at the terminal, until Ctrl+C. */
export async function tailCalls(terminal: Terminal): Promise<void> {
  const { input, json, paint, printLine, signal } = terminal
  const tail = createTail<ApiCall>(parseLines(input))
  // The first poll is not repeated, so that a wrong store or status is refused at once.
  for (let retry_ms = 0; ; retry_ms = RESTART_MAX_MS) {
    const page = await nextCalls(terminal, retry_ms)
    if (signal.aborted) return
    const { calls, mayHaveMissed } = tail.add(page)
    if (mayHaveMissed && !json)
      printLine(paint('dim', `(more than ${CALLS_PER_POLL} calls a second: some are left out)`))
    for (const call of calls) printLine(json ? JSON.stringify(call) : lineOf(call, paint))
    await waitForPoll(terminal)
  }
}

/** Waits until the next poll, or until Ctrl+C. */
const waitForPoll = ({ signal, isRemote }: Terminal) =>
  pause(isRemote ? REMOTE_POLL_MS : POLL_MS, undefined, { signal }).catch(() => undefined)

/** Polls for calls, and retries a failed poll for this time. Returns no calls after Ctrl+C. */
async function nextCalls(terminal: Terminal, retry_ms: number): Promise<ApiCall[]> {
  const { input, signal } = terminal
  for (const deadline = performance.now() + retry_ms; ; await waitForPoll(terminal)) {
    if (signal.aborted) return []
    try {
      return (await terminal.runOnce(input, signal)) as ApiCall[]
    } catch (error) {
      if (isFinalRefusal(error)) throw error
      if (!signal.aborted && performance.now() >= deadline) throw error
    }
  }
}

function parseLines(input: Input): number {
  const option = text(input, 'lines') ?? String(LINES_DEFAULT)
  const lines = Number(option)
  if (/^\d+$/.test(option) && lines <= CALLS_PER_POLL) return lines
  throw new CommandError(`--lines: write a number from 0 to ${CALLS_PER_POLL}.`, 2)
}

function lineOf(call: ApiCall, paint: Paint): string {
  const { created_at, status, duration_ms, method, path, error_code, api_key, request_id } = call
  const style = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const duration = `${duration_ms} ms`.padStart(8)
  const refusal = error_code ? `  ${error_code}` : ''
  const key = paint('dim', `…${api_key.last4}  ${request_id}`)
  const time = created_at.slice('2026-11-21T'.length, '2026-11-21T18:30:00'.length)
  return `${time}  ${paint(style, String(status))}${duration}  ${method.padEnd(6)} ${path}${refusal}  ${key}`
}
