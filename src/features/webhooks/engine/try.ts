import type * as claim from '../queries/claim.ts'
import { deliveryIdOf } from '../queries/delivery-id.ts'
import type { Sendable } from '../queries/manual.ts'
import type { Progress } from '../result.rules.ts'
import type { Fanout, Result } from './record-results.ts'

/** One delivery that a lease of ours covers. */
export interface Try {
  lane: Result['lane']
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  progress: Progress
  event: TriedEvent
  /** Set for a first attempt. */
  fanout?: Fanout
}

/** The fields that all deliveries of an event share. */
export interface TriedEvent
  extends Pick<
    claim.ClaimedEvent,
    'no' | 'tag' | 'type' | 'test' | 'payload_enc' | 'created_at' | 'clock_offset_ms'
  > {
  /** The payload, once the first of them has opened it: that takes longer than to sign it. */
  body?: Buffer
}

/** The deliveries of an event that still goes to somebody. */
export function firstAttempts(event: claim.ClaimedEvent): Try[] {
  const { store_id, no, token, endpoint_ids } = event
  const fanout = { store_id, no, token, left: endpoint_ids.filter((id) => id !== 0).length }
  return endpoint_ids.flatMap((endpoint_id, place) => {
    if (endpoint_id === 0) return []
    const progress = { attempts: 0, step: 0, lost: 0 }
    const delivery_id = deliveryIdOf(no, place)
    return { lane: 'first', store_id, delivery_id, endpoint_id, token, progress, event, fanout }
  })
}

/** A delivery that is tried again. */
export function attemptedAgain(row: claim.ClaimedRetry): Try {
  const { store_id, delivery_id, endpoint_id, token, attempts, step, lost, lost_now } = row
  const progress = { attempts: attempts + (lost_now ? 1 : 0), step, lost }
  return { lane: 'retry', store_id, delivery_id, endpoint_id, token, progress, event: row }
}

/** A delivery that a person sends again, or a sample. */
export function attemptedManually(row: Sendable & { token: number }): Try {
  const { store_id, delivery_id, endpoint_id, token, attempts } = row
  const progress = { attempts, step: 0, lost: 0 }
  return { lane: 'manual', store_id, delivery_id, endpoint_id, token, progress, event: row }
}
