import { type RawBuilder, sql } from 'kysely'

export interface CallSource {
  /** The caller's address; undefined if the connection has none, so that no address ban applies. */
  ip: string | undefined
  now: string
}

/**
 * Returns SQL that is true if a machine or an address is banned in the app `a`. Each of the 33 ranges that
 * contain an IPv4 address (129 for IPv6) needs an index lookup, so the cost does not grow with the number of
 * bans.
 */
export const isDeviceOrAddressBanned = (
  fingerprint_hash: RawBuilder<unknown>,
  { ip, now }: CallSource,
) => sql`
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
