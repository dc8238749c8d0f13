import type * as claim from '../queries/claim.ts'
import { deliveryIdOf } from '../queries/delivery-id.ts'
import type { Sendable } from '../queries/manual.ts'
import type { DeliveryProgress } from '../result.rules.ts'
import type { AttemptResult, Fanout } from './record-results.ts'

/** A delivery under a lease of this process. */
export interface LeasedDelivery {
  lane: AttemptResult['lane']
  store_id: number
  delivery_id: number
  endpoint_id: number
  token: number
  progress: DeliveryProgress
  event: LeasedEvent
  /** Set for a first attempt. */
  fanout?: Fanout
}

/** The fields that all deliveries of an event share. */
interface LeasedEvent
  extends Pick<
    claim.ClaimedEvent,
    'no' | 'tag' | 'type' | 'test' | 'payload_enc' | 'created_at' | 'clock_offset_ms'
  > {
  /** The decrypted payload. The first delivery sets it for all, because decrypting takes longer than signing. */
  body?: Buffer
}

/** Returns the first attempts of an event. An endpoint id of 0 marks a delivery that needs no first attempt any more. */
export function firstAttempts(event: claim.ClaimedEvent): LeasedDelivery[] {
  const { store_id, no, token, endpoint_ids } = event
  const fanout = { store_id, no, token, unrecorded: endpoint_ids.filter((id) => id !== 0).length }
  return endpoint_ids.flatMap((endpoint_id, position) => {
    if (endpoint_id === 0) return []
    const progress = { attempts: 0, step: 0, lost: 0 }
    const delivery_id = deliveryIdOf(no, position)
    return { lane: 'first', store_id, delivery_id, endpoint_id, token, progress, event, fanout }
  })
}

/** Returns the next attempt of a delivery in the retry lane. */
export function retryOf(row: claim.ClaimedRetry): LeasedDelivery {
  const { store_id, delivery_id, endpoint_id, token, attempts, step, lost, is_lost } = row
  const progress = { attempts: attempts + (is_lost ? 1 : 0), step, lost }
  return { lane: 'retry', store_id, delivery_id, endpoint_id, token, progress, event: row }
}

/** Returns the attempt of a resend or a test. */
export function manualAttemptOf(row: Sendable & { token: number }): LeasedDelivery {
  const { store_id, delivery_id, endpoint_id, token, attempts } = row
  const progress = { attempts, step: 0, lost: 0 }
  return { lane: 'manual', store_id, delivery_id, endpoint_id, token, progress, event: row }
}
