import { z } from 'zod'
import { CursorQuery, NewAppId } from '../../../kernel/client-shapes.ts'
import { canonicalIp, isRange } from '../../../kernel/net.ts'
import { DateTime, InputTime, Line, PageQuery, PathId } from '../../../kernel/shapes.ts'

const PRINTABLE = /^[\x20-\x7e]+$/

/** An identifier that a program computes for its machine. It can be copied, so it proves nothing. */
export const Fingerprint = z
  .string()
  .min(16, 'Write 16 to 256 characters.')
  .max(256, 'Write 16 to 256 characters.')
  .regex(PRINTABLE, 'Use printable ASCII.')

export const Device = z
  .object({
    id: z.int().describe('The device id.'),
    object: z.literal('device').describe('Always `device`.'),
    key_id: z.int().describe('The license key that the device uses.'),
    fingerprint_hash: z
      .string()
      .describe('The keyed hash of the fingerprint. The fingerprint is not stored.'),
    components: z
      .record(z.string(), z.string())
      .describe('The components of the machine by name, as keyed hashes.'),
    public_key_thumbprint: z
      .string()
      .nullable()
      .describe('SHA-256 of the public key of the device, base64url.'),
    name: z.string().nullable().describe('The name that the program sent.'),
    platform: z.string().nullable().describe('The operating system.'),
    status: z.enum(['active', 'banned']).describe('A banned device cannot start a session.'),
    first_seen_at: DateTime.describe('The time when the device was activated.'),
    last_seen_at: DateTime.describe('The time when the device last started a session.'),
  })
  .meta({ id: 'Device', description: 'A machine on which a license key is used.' })
export type Device = z.output<typeof Device>

export const ClientSession = z
  .object({
    id: z.int().describe('The session id.'),
    object: z.literal('session').describe('Always `session`.'),
    key_id: z.int().nullable().describe('The license key; null for a public session.'),
    device_id: z.int().nullable().describe('The device id.'),
    app_version: z.string().nullable().describe('The version that the program sent.'),
    started_at: DateTime.describe('The time when the session started.'),
    last_heartbeat_at: DateTime.describe('The time when the last heartbeat arrived.'),
    lease_expires_at: DateTime.describe(
      'The moment at which the session ends unless a heartbeat arrives before it.',
    ),
    expires_at: DateTime.describe('The moment at which the session ends even with heartbeats.'),
    ended_at: DateTime.nullable().describe('The time when the session ended.'),
    ended_reason: z.string().nullable().describe('The reason why the session ended.'),
  })
  .meta({ id: 'ClientSession', description: 'A running program that uses a license key.' })
export type ClientSession = z.output<typeof ClientSession>

export const ListedSession = ClientSession.extend({
  app_id: z.int().describe('The app.'),
  live: z.boolean().describe('True if the session has not ended and its lease has not expired.'),
  key_preview: z.string().nullable().describe('The last characters of the license key.'),
  device_name: z.string().nullable().describe('The name that the program sent.'),
  device_platform: z.string().nullable().describe('The operating system of the device.'),
}).meta({ id: 'ListedClientSession', description: 'A client session with its license and device.' })
export type ListedSession = z.output<typeof ListedSession>

export const SessionCursor = z
  .string()
  .regex(/^\d{1,14}-\d{1,16}$/, 'Use next_cursor of the page before.')

export const SessionQuery = z.object({
  limit: CursorQuery.limit,
  cursor: SessionCursor.optional().describe('`next_cursor` of the page before.'),
  state: z
    .enum(['live', 'ended'])
    .optional()
    .describe(
      'Only live sessions, or only ended ones. A session has ended if it was ended or its lease expired.',
    ),
  app_id: PathId.optional().describe('Only sessions of this app.'),
  key_id: PathId.optional().describe('Only sessions of this license key.'),
  device_id: PathId.optional().describe('Only sessions of this device.'),
})
export type SessionQuery = z.output<typeof SessionQuery>

export const CursorPage = z.object(CursorQuery)
export type CursorPage = z.output<typeof CursorPage>

export const DeviceBan = z
  .object({
    id: z.int().describe('The ban id.'),
    object: z.literal('device_ban').describe('Always `device_ban`.'),
    app_id: z.int().describe('The app that the ban applies to.'),
    fingerprint_hash: z
      .string()
      .nullable()
      .describe('The keyed hash of the banned fingerprint; null for a ban of addresses.'),
    ip_cidr: z.string().nullable().describe('The banned addresses; null for a ban of a device.'),
    reason: z.string().describe('The reason, for the seller only.'),
    expires_at: DateTime.nullable().describe('The time when the ban ends; null if it has no end.'),
    key_id: z
      .int()
      .nullable()
      .describe('The license key whose ban created this ban; null if no key ban created it.'),
    created_at: DateTime.describe('The time when the ban was created.'),
  })
  .meta({
    id: 'DeviceBan',
    description: 'A ban of a device or of addresses, which then cannot start a session.',
  })
export type DeviceBan = z.output<typeof DeviceBan>

export const NewDeviceBan = z
  .strictObject({
    app_id: NewAppId,
    fingerprint: Fingerprint.optional().describe(
      'The fingerprint to ban. Default: none; send one of `fingerprint`, `device_id` and `ip_cidr`.',
    ),
    device_id: z.int().min(1).optional().describe('A registered device to ban. Default: none.'),
    ip_cidr: z
      .string()
      .refine(isRange, 'Use an IP address or a range such as 203.0.113.0/24.')
      // Callers with an IPv4-mapped address are identified by their IPv4 address, so this ban would never match.
      .refine((text) => !isMappedIpv4(text), 'Write the IPv4 address without the ::ffff: prefix.')
      .refine(isNetwork, 'The address has bits set after the prefix length. Clear them.')
      .optional()
      .describe('The address or range to ban. Default: none.'),
    reason: Line(255).describe('The reason, for the seller only.'),
    expires_at: InputTime.nullable()
      .prefault(null)
      .describe('The time when the ban ends; null if it has no end.'),
  })
  .refine(
    ({ fingerprint, device_id, ip_cidr }) =>
      [fingerprint, device_id, ip_cidr].filter((item) => item !== undefined).length === 1,
    { path: ['fingerprint'], error: 'Send one of fingerprint, device_id and ip_cidr.' },
  )
  .meta({ id: 'DeviceBanInput', description: 'A new ban of a device or of addresses.' })
export type NewDeviceBan = z.output<typeof NewDeviceBan>

export const BanQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only bans of this app.'),
})
export type BanQuery = z.output<typeof BanQuery>

/** Returns true for an IPv4-mapped IPv6 address or a range of them, in any notation. */
function isMappedIpv4(text: string): boolean {
  const [address = ''] = text.split('/')
  return address.includes(':') && canonicalIp(address)?.includes(':') === false
}

/** Returns false for a range with bits set after its prefix length, which PostgreSQL refuses. */
function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  if (bits === undefined) return true
  const bytes = address.includes(':') ? bytesOfIpv6(address) : address.split('.').map(Number)
  return bytes.every((byte, index) => {
    const prefixBits = Math.min(8, Math.max(0, Number(bits) - index * 8))
    return (byte & (0xff >> prefixBits)) === 0
  })
}

function bytesOfIpv6(address: string): number[] {
  const host = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail = ''] = host.split('::')
  const words = (part: string) => part.split(':').filter(Boolean)
  const middle = 8 - words(head).length - words(tail).length
  const groups = host.includes('::')
    ? [...words(head), ...Array<string>(middle).fill('0'), ...words(tail)]
    : words(host)
  return groups.flatMap((word) => [
    Number.parseInt(word, 16) >> 8,
    Number.parseInt(word, 16) & 0xff,
  ])
}
