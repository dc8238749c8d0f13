import { type RawBuilder, sql } from 'kysely'

export interface CallSource {
  /** Undefined if the connection has no IP address; no address ban applies then. */
  ip: string | undefined
  now: string
}

/**
 * True if a machine or an address is banned in the app `a`. Each of the 33 ranges that contain an IPv4
 * address (129 for IPv6) has its own index lookup, so the cost does not grow with the number of bans.
 */
export const isBannedAt = (fingerprint_hash: RawBuilder<unknown>, { ip, now }: CallSource) => sql`
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
