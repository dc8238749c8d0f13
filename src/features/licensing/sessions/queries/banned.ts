import { type RawBuilder, sql } from 'kysely'
import { addressesOf } from '../../../../kernel/net.ts'

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
) => {
  const ips = ip === undefined ? [] : addressesOf(ip)
  return sql`
  (exists (select from device_ban b
            where b.store_id = a.store_id and b.app_id = a.id
              and b.fingerprint_hash = ${fingerprint_hash}
              and (b.expires_at is null or b.expires_at > ${now}))
   or (exists (select from device_ban b
                where b.store_id = a.store_id and b.app_id = a.id and b.ip_cidr is not null)
       and exists (select from unnest(${ips}::inet[]) as caller_ip,
                     lateral generate_series(0, masklen(caller_ip)) as length,
                     lateral (select from device_ban b
                               where b.store_id = a.store_id and b.app_id = a.id
                                 and b.ip_cidr = network(set_masklen(caller_ip, length))
                                 and (b.expires_at is null or b.expires_at > ${now})
                               limit 1) as banned)))`
}
