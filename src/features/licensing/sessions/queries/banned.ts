import { type RawBuilder, sql } from 'kysely'

export interface Asker {
  /** Undefined where that is no address: it lies in no range. */
  ip: string | undefined
  now: string
}

/**
 * Whether a machine or an address is banned in the app `a`. An address lies in 33 ranges, or 129 of
 * IPv6, and each is looked up by itself: what a call costs does not grow with what is banned.
 */
export const isBannedAt = (fingerprint_hash: RawBuilder<unknown>, { ip, now }: Asker) => sql`
  (exists (select from device_ban b
            where b.store_id = a.store_id and b.app_id = a.id
              and b.fingerprint_hash = ${fingerprint_hash}
              and (b.expires_at is null or b.expires_at > ${now}))
   or (exists (select from device_ban b
                where b.store_id = a.store_id and b.app_id = a.id and b.ip_cidr is not null)
       and exists (select from generate_series(0, masklen(${ip ?? null}::inet)) as length,
                     lateral (select from device_ban b
                               where b.store_id = a.store_id and b.app_id = a.id
                                 and b.ip_cidr = network(set_masklen(${ip ?? null}::inet, length))
                                 and (b.expires_at is null or b.expires_at > ${now})
                               limit 1) as banned)))`
