import type { App } from '../../../app.ts'
import { payloadSealContext } from '../../../events/sealed.ts'
import { iso, SECOND_MS } from '../../../kernel/time.ts'
import type { Outcome } from '../../../sender/outcome.rules.ts'
import type { Sender } from '../../../sender/sender.ts'
import type { WebhookTarget } from '../queries/claim.ts'
import type { ResultRow } from '../queries/record.ts'
import { manualResultOf, resultOf } from '../result.rules.ts'
import { type HeaderSigner, headersOf } from './headers.ts'
import type { LeasedDelivery } from './leased-delivery.ts'
import type { AttemptResult } from './record-results.ts'

interface CompletedAttempt {
  result: AttemptResult
  outcome: Outcome
}

interface AttemptDependencies {
  sender: Sender
  signer: HeaderSigner
}

/** Delay before an unsent delivery is due again: an immediate attempt would fail the same way. */
const UNSENT_WAIT_MS = SECOND_MS

interface AttemptInput {
  delivery: LeasedDelivery
  target: WebhookTarget
  /** Called after a wait for a connection. If it returns false, the request is not sent. Never rejects. */
  recheck: () => Promise<boolean>
}

/** Sends one delivery and returns its outcome. */
export async function attemptDelivery(
  app: Pick<App, 'vault' | 'clock'>,
  { sender, signer }: AttemptDependencies,
  { delivery, target, recheck }: AttemptInput,
): Promise<CompletedAttempt> {
  const { store_id, event, progress } = delivery
  event.body ??= app.vault.open(payloadSealContext(store_id, event.tag), event.payload_enc)
  const { no, tag, type, body } = event
  const at_ms = app.clock.now()
  const input = { target, no, tag, type, attempt: progress.attempts + 1, body, at_ms }
  const headers = headersOf(signer, input)
  const outcome = await sender.send({ url: target.url, body, headers, pool: store_id, recheck })
  const { lane, fanout } = delivery
  const answer = { ...outcome, signed_at: iso(at_ms) }
  if (lane === 'manual') return { outcome, result: manualResult(app, delivery, answer) }
  if (outcome.unsent) {
    return {
      outcome,
      result: unsentResult(app, delivery, { status: 'pending', wait_ms: UNSENT_WAIT_MS }),
    }
  }
  // On a moved clock a retry is due exactly by the schedule.
  const chance = event.clock_offset_ms > 0 ? 0 : Math.random()
  const row = rowOf(app, delivery, resultOf(progress, outcome, chance), answer)
  return { outcome, result: { lane, row, isSent: true, isTest: event.test, fanout } }
}

type AttemptAnswer = Pick<
  ResultRow,
  'status_code' | 'error' | 'duration_ms' | 'response_body' | 'signed_at'
>

const NO_ANSWER: AttemptAnswer = {
  status_code: null,
  error: null,
  duration_ms: null,
  response_body: null,
  signed_at: null,
}

function manualResult(
  app: Pick<App, 'clock'>,
  item: LeasedDelivery,
  answer: AttemptAnswer & { ok: boolean },
): AttemptResult {
  const row = rowOf(app, item, manualResultOf(item.progress, answer), answer)
  return { lane: item.lane, row, isSent: true, isTest: item.event.test }
}

/** The result of a manual attempt that ended without an answer. */
export const failedManualResult = (
  app: Pick<App, 'clock'>,
  item: LeasedDelivery,
  error: string,
): AttemptResult => manualResult(app, item, { ...NO_ANSWER, error, ok: false })

/** The result of a delivery for which no request was sent. */
export function unsentResult(
  app: Pick<App, 'clock'>,
  item: LeasedDelivery,
  state: Pick<ResultRow, 'status' | 'wait_ms'>,
): AttemptResult {
  const row = rowOf(app, item, { ...item.progress, ...state }, NO_ANSWER)
  const { lane, event, fanout } = item
  return { lane, row, isSent: false, isTest: event.test, fanout }
}

const rowOf = (
  { clock }: Pick<App, 'clock'>,
  { store_id, delivery_id, endpoint_id, token, event }: LeasedDelivery,
  { status, attempts, step, wait_ms }: Pick<ResultRow, 'status' | 'attempts' | 'step' | 'wait_ms'>,
  answer: AttemptAnswer,
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
  signed_at: answer.signed_at,
  created_at: event.created_at,
  at: iso(clock.now() + event.clock_offset_ms),
})
