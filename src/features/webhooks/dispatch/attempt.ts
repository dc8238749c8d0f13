import type { App } from '../../../app.ts'
import { payloadPlace } from '../../../events/ledger.ts'
import { iso } from '../../../kernel/time.ts'
import type { Target } from '../queries/claim.ts'
import type { ResultRow } from '../queries/record.ts'
import { resultOf } from '../result.rules.ts'
import type { Sender } from '../sending/sender.ts'
import { headersOf } from './headers.ts'
import type { Result } from './record-results.ts'
import type { Try } from './try.ts'

/** Sends one delivery and says what became of it. */
export async function attempt(
  app: App,
  sender: Sender,
  { one, target }: { one: Try; target: Target },
): Promise<Result> {
  const body = app.vault.open(payloadPlace(one.store_id, one.event.tag), one.payload_enc)
  const signed = { ...one.event, target, body, attempt: one.progress.attempts + 1 }
  const outcome = await sender.send({ url: target.url, body, headers: headersOf(app, signed) })
  const chance = one.clock_offset_ms > 0 ? 0 : Math.random()
  const { status_code, error, duration_ms, response_body } = outcome
  const answer = { status_code, error, duration_ms, response_body }
  const row = { ...base(app, one), ...answer, ...resultOf(one.progress, outcome, chance) }
  return { lane: one.lane, row, sent: true, finished: one.finished?.() }
}

/** A delivery that was not tried: it waits, or has nobody to go to. */
export function untried(app: App, one: Try, state: Pick<ResultRow, 'status' | 'wait_ms'>): Result {
  const { attempts, step } = one.progress
  const nothing = { status_code: null, error: null, duration_ms: null, response_body: null }
  const row = { ...base(app, one), ...nothing, attempts, step, ...state }
  return { lane: one.lane, row, sent: false, finished: one.finished?.() }
}

function base(app: App, one: Try) {
  const { store_id, delivery_id, endpoint_id, token, created_at, clock_offset_ms } = one
  const at = iso(app.clock.now() + clock_offset_ms)
  return { store_id, delivery_id, endpoint_id, token, created_at, at }
}
