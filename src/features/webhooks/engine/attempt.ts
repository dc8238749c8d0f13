import type { App } from '../../../app.ts'
import { payloadSealContext } from '../../../events/sealed.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import type { Sender } from '../../../sender/sender.ts'
import type { Target } from '../queries/claim.ts'
import type { ResultRow } from '../queries/record.ts'
import { manualResultOf, resultOf } from '../result.rules.ts'
import { headersOf, type Signer } from './headers.ts'
import type { Result } from './record-results.ts'
import type { Try } from './try.ts'

export interface Attempted {
  result: Result
  outcome: Outcome
}

export interface Signing {
  sender: Sender
  signer: Signer
}

/** Delay before an unsent delivery is due again: an immediate attempt would fail the same way. */
const UNSENT_WAIT_MS = SECOND_MS

interface Sending {
  one: Try
  target: Target
  /** Asked where it had to wait for a connection. Never rejects. */
  stillDue: () => Promise<boolean>
}

/** Sends one delivery and returns its outcome. */
export async function attempt(
  app: Pick<App, 'vault' | 'clock'>,
  { sender, signer }: Signing,
  { one, target, stillDue }: Sending,
): Promise<Attempted> {
  const { store_id, event, progress } = one
  event.body ??= app.vault.open(payloadSealContext(store_id, event.tag), event.payload_enc)
  const { no, tag, type, body } = event
  const headers = headersOf(signer, { target, no, tag, type, attempt: progress.attempts + 1, body })
  const outcome = await sender.send({ url: target.url, body, headers, pool: store_id, stillDue })
  const { lane, fanout } = one
  if (lane === 'manual') return { outcome, result: manualResult(app, one, outcome) }
  if (outcome.unsent) {
    return { outcome, result: untried(app, one, { status: 'pending', wait_ms: UNSENT_WAIT_MS }) }
  }
  const chance = event.clock_offset_ms > 0 ? 0 : Math.random()
  const row = rowOf(app, one, resultOf(progress, outcome, chance), outcome)
  return { outcome, result: { lane, row, sent: true, test: event.test, fanout } }
}

type Answer = Pick<ResultRow, 'status_code' | 'error' | 'duration_ms' | 'response_body'>

const NOT_ASKED: Answer = { status_code: null, error: null, duration_ms: null, response_body: null }

function manualResult(
  app: Pick<App, 'clock'>,
  item: Try,
  answer: Answer & { ok: boolean },
): Result {
  const row = rowOf(app, item, manualResultOf(item.progress, answer), answer)
  return { lane: item.lane, row, sent: true, test: item.event.test }
}

/** A manual attempt that ended without an answer. */
export const failedManually = (app: Pick<App, 'clock'>, item: Try, error: string): Result =>
  manualResult(app, item, { ...NOT_ASKED, error, ok: false })

/** A delivery that was not tried: it waits, or has nobody to go to. */
export function untried(
  app: Pick<App, 'clock'>,
  item: Try,
  state: Pick<ResultRow, 'status' | 'wait_ms'>,
): Result {
  const row = rowOf(app, item, { ...item.progress, ...state }, NOT_ASKED)
  const { lane, event, fanout } = item
  return { lane, row, sent: false, test: event.test, fanout }
}

const rowOf = (
  { clock }: Pick<App, 'clock'>,
  { store_id, delivery_id, endpoint_id, token, event }: Try,
  { status, attempts, step, wait_ms }: Pick<ResultRow, 'status' | 'attempts' | 'step' | 'wait_ms'>,
  answer: Answer,
): ResultRow => ({
  store_id,
  delivery_id,
  endpoint_id,
  token,
  status,
  attempts,
  step,
  wait_ms,
  status_code: answer.status_code,
  error: answer.error,
  duration_ms: answer.duration_ms,
  response_body: answer.response_body,
  created_at: event.created_at,
  at: iso(clock.now() + event.clock_offset_ms),
})
