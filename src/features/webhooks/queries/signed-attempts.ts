import type { Db } from '../../../db/database.ts'
import { firstRow } from '../../../db/rows.ts'

export interface SignedAttempt {
  attempt: number
  /** By the clock of the machine, ISO 8601. Null if no request was recorded. */
  signed_at: string | null
  /** The error of the attempt, such as `blocked_address: …`; null if it was answered. */
  error: string | null
}

interface SignedDelivery {
  endpoint_id: number
  /** The time when the current secret began to sign. Null if it signs since the endpoint was created. */
  secret_from: string | null
  /** The oldest first. */
  attempts: SignedAttempt[]
}

/** Returns the signing times of the attempts of a delivery, or undefined before the first attempt. */
export const selectSignedAttempts = (db: Db, storeId: number, id: number) =>
  firstRow<SignedDelivery>(db)`
    select d.endpoint_id, w.secret_from,
           (select coalesce(json_agg(json_build_object(
                     'attempt', a.attempt, 'signed_at', iso(a.signed_at), 'error', a.error)
                     order by a.attempt), '[]')
              from (select attempt, signed_at, error
                      from webhook_attempt
                     where store_id = ${storeId} and delivery_id = ${id}
                     union all
                    select d.attempts, d.signed_at, d.error where d.attempts > 0) a) as attempts
      from webhook_delivery d
      join webhook_endpoint w on w.store_id = d.store_id and w.id = d.endpoint_id
     where d.store_id = ${storeId} and d.id = ${id}`
