import type { App } from '../../../app.ts'
import { payloadPlace } from '../../../events/ledger.ts'
import { iso } from '../../../kernel/time.ts'
import type { Target } from '../queries/claim.ts'
import type { ResultRow } from '../queries/record.ts'
import { resultOf } from '../result.rules.ts'
import type { Outcome } from '../sending/outcome.rules.ts'
import type { Sender } from '../sending/sender.ts'
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

/** Sends one delivery and says what became of it. */
export async function attempt(
  app: App,
  { sender, signer }: Signing,
  { one, target }: { one: Try; target: Target },
): Promise<Attempted> {
  const body = app.vault.open(payloadPlace(one.store_id, one.event.tag), one.event.payload_enc)
  const signed = { ...one.event, target, body, attempt: one.progress.attempts + 1 }
  const headers = headersOf(signer, signed)
  const outcome = await sender.send({ url: target.url, body, headers, pool: one.store_id })
  if (outcome.unsent) {
    return { outcome, result: untried(app, one, { status: 'pending', wait_ms: 0 }) }
  }
  const chance = one.event.clock_offset_ms > 0 ? 0 : Math.random()
  const { status, attempts, step, wait_ms } = resultOf(one.progress, outcome, chance)
  const { status_code, error, duration_ms, response_body } = outcome
  const answer = { status_code, error, duration_ms, response_body }
  const row = rowOf(app, one, { status, attempts, step, wait_ms, ...answer })
  return { outcome, result: { lane: one.lane, row, sent: true, finished: one.finished?.() } }
}

/** A delivery that was not tried: it waits, or has nobody to go to. */
export function untried(app: App, one: Try, state: Pick<ResultRow, 'status' | 'wait_ms'>): Result {
  const { attempts, step } = one.progress
  const nothing = { status_code: null, error: null, duration_ms: null, response_body: null }
  const row = rowOf(app, one, { attempts, step, ...state, ...nothing })
  return { lane: one.lane, row, sent: false, finished: one.finished?.() }
}

type Ended = Omit<ResultRow, keyof ReturnType<typeof placeOf>>

const rowOf = (app: App, one: Try, ended: Ended): ResultRow => ({ ...placeOf(app, one), ...ended })

const placeOf = (app: App, { store_id, delivery_id, endpoint_id, token, event }: Try) => ({
  store_id,
  delivery_id,
  endpoint_id,
  token,
  created_at: event.created_at,
  at: iso(app.clock.now() + event.clock_offset_ms),
})
