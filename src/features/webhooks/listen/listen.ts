import { setTimeout as pause } from 'node:timers/promises'
import {
  CommandError,
  type Input,
  isFinalRefusal,
  requiredText,
  type Terminal,
  text,
} from '../../../command.ts'
import { EVENT_TYPES } from '../../../events/types.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import { URL_LENGTH_MAX } from '../schema.ts'
import { LISTENER_TIMEOUT_MS } from './open-listener.ts'
import { relay } from './relay.ts'
import type { ListenerDelivery, PollAnswer, RelayResult } from './schema.ts'

const RETRY_MS = SECOND_MS

/** Runs at the terminal until Ctrl+C: fetches deliveries from the server and posts them to a local address. */
export async function listen(terminal: Terminal): Promise<void> {
  const forward = forwardUrl(terminal.input)
  const events = eventFilter(terminal.input)
  const listenerEndpoint = (await terminal.runOnce({
    ...terminal.input,
    step: 'open',
    forward,
    events,
  })) as ListenerEndpoint
  terminal.printLine(
    terminal.json ? JSON.stringify(listenerEndpoint) : startText(forward, events, listenerEndpoint),
  )
  const state = {
    terminal,
    forward,
    endpoint: listenerEndpoint.endpoint,
    relayed: [] as RelayResult[],
  }
  try {
    await relayUntilStopped(state)
  } finally {
    // If the server has stopped, a job removes the endpoint after the next start.
    await callServer(state, 'close').catch(() => {})
  }
}

interface ListenerEndpoint {
  endpoint: string
  secret: string
}

interface ListenerState {
  terminal: Terminal
  forward: string
  endpoint: string
  /** Results that were not reported to the server yet. */
  relayed: RelayResult[]
}

async function relayUntilStopped(state: ListenerState): Promise<void> {
  const { signal } = state.terminal
  while (!signal.aborted) {
    const { deliveries } = await nextDeliveries(state)
    if (!deliveries) throw new CommandError(LISTENER_REMOVED)
    const outcomes = deliveries.map((item) => relayDelivery(state, item).catch(waitAfterFailure))
    state.relayed = (await Promise.all(outcomes)).flat()
  }
}

/** A delivery whose body could not be fetched stays parked, so the next poll returns it again. */
async function waitAfterFailure(): Promise<RelayResult[]> {
  await pause(RETRY_MS)
  return []
}

const LISTENER_REMOVED =
  'The endpoint of this listener was deleted, or the listener did not poll for a minute. Start it again.'

function callServer(
  { terminal, endpoint, relayed }: ListenerState,
  step: 'next' | 'close',
  signal?: AbortSignal,
) {
  return terminal.runOnce({ ...terminal.input, step, endpoint, relayed }, signal)
}

/**
 * Polls the server. Retries while the server restarts, for as long as it keeps the endpoint of a listener that
 * does not poll.
 */
async function nextDeliveries(state: ListenerState): Promise<PollAnswer> {
  const { signal } = state.terminal
  const deadline = performance.now() + LISTENER_TIMEOUT_MS
  for (;;) {
    try {
      return (await callServer(state, 'next', signal)) as PollAnswer
    } catch (error) {
      if (signal.aborted) return { deliveries: [] }
      if (isFinalRefusal(error) || performance.now() > deadline) throw error
      await pause(RETRY_MS)
    }
  }
}

async function relayDelivery(
  state: ListenerState,
  delivery: ListenerDelivery,
): Promise<RelayResult[]> {
  const { terminal, forward } = state
  const body =
    delivery.body === null ? await fetchLongBody(state, delivery) : Buffer.from(delivery.body)
  const { error_code, ...outcome } = await relay(
    forward,
    { headers: delivery.headers, body },
    terminal.signal,
  )
  terminal.printLine(
    terminal.json ? JSON.stringify(jsonLine(delivery, outcome)) : textLine(delivery, outcome),
  )
  return [{ delivery_id: delivery.delivery_id, ...outcome }]
}

async function fetchLongBody(
  { terminal, endpoint }: ListenerState,
  { delivery_id }: ListenerDelivery,
): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let from = 0; ; from += parts.at(-1)?.length ?? 0) {
    const request = { ...terminal.input, step: 'part', endpoint, delivery_id, from }
    const { part } = (await terminal.runOnce(request, terminal.signal)) as { part: string }
    if (part === '') return Buffer.concat(parts)
    parts.push(Buffer.from(part, 'base64'))
  }
}

type RelayOutcome = Omit<Outcome, 'error_code'>

const jsonLine = (
  delivery: ListenerDelivery,
  { status_code, error, duration_ms }: RelayOutcome,
) => ({
  time: new Date().toISOString(),
  type: delivery.type,
  id: delivery.event_id,
  delivery: delivery.delivery_id,
  status: status_code,
  error,
  duration_ms,
})

function textLine(
  delivery: ListenerDelivery,
  { ok, status_code, error, duration_ms }: RelayOutcome,
): string {
  const time = new Date().toTimeString().slice(0, 8)
  const durationText = `${duration_ms} ms`.padStart(8)
  const type = delivery.type.padEnd(TYPE_WIDTH)
  const line = `${time}  ${status_code ?? '---'}${durationText}  ${type}  ${delivery.event_id}  delivery ${delivery.delivery_id}`
  return ok ? line : `${line}\n          ${error}`
}

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map((type) => type.length))

const startText = (forward: string, events: readonly string[], { secret }: ListenerEndpoint) => `
Listening for ${events.includes('*') ? 'every event' : events.join(', ')}.

  Forwards to      ${forward}
  Signing secret   ${secret}  (valid until you stop)

  Press Ctrl+C to stop.
`

function forwardUrl(input: Input): string {
  const option = requiredText(input, 'forward')
  const url = URL.canParse(option) ? new URL(option) : undefined
  const isAllowed = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (isAllowed && option.length <= URL_LENGTH_MAX) return url.href
  throw new CommandError('--forward: write an address such as http://localhost:3000/hook.', 2)
}

function eventFilter(input: Input): string[] {
  const types = (text(input, 'events') ?? '*').split(',').map((item) => item.trim())
  const unknownType = types.find(
    (item) => item !== '*' && !EVENT_TYPES.some((type) => type === item),
  )
  if (unknownType === undefined) return [...new Set(types)]
  throw new CommandError(
    `--events: "${unknownType}" is not an event type. Use ${EVENT_TYPES.join(', ')}.`,
    2,
  )
}
