import { setTimeout as pause } from 'node:timers/promises'
import { CommandError, type Input, needed, type Terminal, text } from '../../../command.ts'
import { EVENT_TYPES } from '../../../events/types.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { URL_LENGTH_MAX } from '../schema.ts'
import { SILENCE_MS } from './open-listener.ts'
import { relay } from './relay.ts'
import type { Handed, HandedOver, Relayed } from './schema.ts'

const ASK_AGAIN_MS = SECOND_MS

/**
 * At the terminal: fetches each event from the server and posts it to the address here, until
 * Ctrl+C.
 */
export async function listen(terminal: Terminal): Promise<void> {
  const { forward, events } = {
    forward: forwardOf(terminal.input),
    events: eventsOf(terminal.input),
  }
  const opened = (await terminal.ask({
    ...terminal.input,
    step: 'open',
    forward,
    events,
  })) as Opened
  terminal.say(terminal.json ? JSON.stringify(opened) : greeting(forward, events, opened))
  const listening = { terminal, forward, endpoint: opened.endpoint, relayed: [] as Relayed[] }
  try {
    await relayAll(listening)
  } finally {
    // If the server has stopped, it removes the endpoint at its next start.
    await askProcess(listening, 'close').catch(() => {})
  }
}

interface Opened {
  endpoint: string
  secret: string
}

interface Listening {
  terminal: Terminal
  forward: string
  endpoint: string
  /** Results that were not reported to the server yet. */
  relayed: Relayed[]
}

async function relayAll(listening: Listening): Promise<void> {
  const { signal } = listening.terminal
  while (!signal.aborted) {
    const { deliveries } = await askPatiently(listening)
    if (!deliveries) throw new CommandError(GONE)
    const outcomes = deliveries.map((item) => relayOne(listening, item).catch(leftForLater))
    listening.relayed = (await Promise.all(outcomes)).flat()
  }
}

/** A body that could not be fetched stays parked, and is delivered again. */
async function leftForLater(): Promise<Relayed[]> {
  await pause(ASK_AGAIN_MS)
  return []
}

const GONE =
  'The endpoint of this listener is gone: nothing was heard from here for a minute, or somebody deleted it. Start it again.'

function askProcess(
  { terminal, endpoint, relayed }: Listening,
  step: 'next' | 'close',
  signal?: AbortSignal,
) {
  return terminal.ask({ ...terminal.input, step, endpoint, relayed }, signal)
}

/**
 * A restarting server is awaited as long as it would wait for the listener; no delivery is lost
 * meanwhile.
 */
async function askPatiently(listening: Listening): Promise<HandedOver> {
  const { signal } = listening.terminal
  const until = performance.now() + SILENCE_MS
  for (;;) {
    try {
      return (await askProcess(listening, 'next', signal)) as HandedOver
    } catch (error) {
      if (signal.aborted) return { deliveries: [] }
      if (performance.now() > until) throw error
      await pause(ASK_AGAIN_MS)
    }
  }
}

async function relayOne(listening: Listening, handed: Handed): Promise<Relayed[]> {
  const { terminal, forward } = listening
  const body = handed.body === null ? await longBody(listening, handed) : Buffer.from(handed.body)
  const { error_code: _, ...outcome } = await relay(
    forward,
    { headers: handed.headers, body },
    terminal.signal,
  )
  terminal.say(terminal.json ? JSON.stringify(lineOf(handed, outcome)) : sentence(handed, outcome))
  return [{ delivery_id: handed.delivery_id, ...outcome }]
}

async function longBody(
  { terminal, endpoint }: Listening,
  { delivery_id }: Handed,
): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let from = 0; ; from += parts.at(-1)?.length ?? 0) {
    const question = { ...terminal.input, step: 'part', endpoint, delivery_id, from }
    const { part } = (await terminal.ask(question, terminal.signal)) as { part: string }
    if (part === '') return Buffer.concat(parts)
    parts.push(Buffer.from(part, 'base64'))
  }
}

type Shown = Omit<Outcome, 'error_code'>

const lineOf = (handed: Handed, { status_code, error, duration_ms }: Shown) => ({
  time: new Date().toISOString(),
  type: handed.type,
  id: handed.event_id,
  delivery: handed.delivery_id,
  status: status_code,
  error,
  duration_ms,
})

function sentence(handed: Handed, { ok, status_code, error, duration_ms }: Shown): string {
  const time = new Date().toTimeString().slice(0, 8)
  const took = `${duration_ms} ms`.padStart(8)
  const type = handed.type.padEnd(TYPE_WIDTH)
  const line = `${time}  ${status_code ?? '---'}${took}  ${type}  ${handed.event_id}  delivery ${handed.delivery_id}`
  return ok ? line : `${line}\n          ${error}`
}

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map((type) => type.length))

const greeting = (forward: string, events: readonly string[], { secret }: Opened) => `
Listening for ${events.includes('*') ? 'every event' : events.join(', ')}.

  Forwards to      ${forward}
  Signing secret   ${secret}  (valid until you stop)

  Press Ctrl+C to stop.
`

function forwardOf(input: Input): string {
  const option = needed(input, 'forward')
  const url = URL.canParse(option) ? new URL(option) : undefined
  const fine = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (fine && option.length <= URL_LENGTH_MAX) return url.href
  throw new CommandError('--forward: write an address such as http://localhost:3000/hook.', 2)
}

function eventsOf(input: Input): string[] {
  const option = (text(input, 'events') ?? '*').split(',').map((item) => item.trim())
  const unknown = option.find((item) => item !== '*' && !EVENT_TYPES.some((type) => type === item))
  if (unknown === undefined) return [...new Set(option)]
  throw new CommandError(`--events: "${unknown}" is none of ${EVENT_TYPES.join(', ')}.`, 2)
}
