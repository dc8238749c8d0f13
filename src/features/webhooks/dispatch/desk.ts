import type { App } from '../../../app.ts'
import { SECOND_MS } from '../../../kernel/time.ts'
import type { Meter } from '../metrics.ts'
import type { Target } from '../queries/claim.ts'
import { isSpent } from '../result.rules.ts'
import type { Outcome } from '../sending/outcome.rules.ts'
import type { Sender } from '../sending/sender.ts'
import { attempt, untried } from './attempt.ts'
import { createSigner } from './headers.ts'
import type { Lanes } from './lanes.ts'
import type { ResultBuffer } from './result-buffer.ts'
import type { Try } from './try.ts'

/** Decides what happens to a delivery that was taken: it is sent, it waits, or it is over. */
export interface Desk {
  /** `claimed_at` by `performance.now()`; without a target there is nobody to send to. */
  begin(one: Try, claimed_at: number, target: Target | undefined): void
  /** It was not tried, and is due at once. */
  giveBack(one: Try): void
}

export interface DeskOptions {
  sender: Sender
  lanes: Lanes
  buffer: ResultBuffer
  meter: Meter
  noted: (error: unknown) => void
}

/** What begins later could outlast its lease of 30 s: it takes 10 s, and then it has to be written down. */
const BEGIN_MAX_MS = 15 * SECOND_MS

export function createDesk(app: App, options: DeskOptions): Desk {
  const { sender, lanes, buffer, meter, noted } = options
  const signing = { sender, signer: createSigner(app) }
  const giveBack = (one: Try) => buffer.add(untried(app, one, { status: 'pending', wait_ms: 0 }))

  async function send(one: Try, target: Target): Promise<Outcome | undefined> {
    try {
      const { result, outcome } = await attempt(app, signing, { one, target })
      if (result.sent) meter.attempted(outcome)
      buffer.add(result)
      return outcome
    } catch (error) {
      noted(error)
      return undefined
    }
  }

  return {
    giveBack,
    begin(one, claimed_at, target) {
      const over = (status: 'cancelled' | 'pending' | 'failed') =>
        buffer.add(untried(app, one, { status, wait_ms: null }))
      if (!target || target.deleted) return over('cancelled')
      if (!target.enabled) return over('pending')
      if (isSpent(one.progress)) return over('failed')
      lanes.enter({
        store_id: one.store_id,
        endpoint_id: one.endpoint_id,
        run() {
          const isLate = performance.now() - claimed_at > BEGIN_MAX_MS
          if (!isLate && !buffer.isBehind()) return send(one, target)
          giveBack(one)
          return Promise.resolve(undefined)
        },
        giveBack: () => giveBack(one),
      })
    },
  }
}
