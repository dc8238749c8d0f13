import { z } from 'zod'
import { CursorQuery, NewAppId } from '../../../kernel/client-shapes.ts'
import { isRange } from '../../../kernel/net.ts'
import { DateTime, Line, PageQuery, PathId } from '../../../kernel/shapes.ts'

const PRINTABLE = /^[\x20-\x7e]+$/

/** What a program says its machine is. A claim, not a proof: whoever copies it is that machine. */
export const Fingerprint = z
  .string()
  .min(16, 'Write 16 to 256 characters.')
  .max(256, 'Write 16 to 256 characters.')
  .regex(PRINTABLE, 'Use printable ASCII.')

export const Device = z
  .object({
    id: z.int().describe('Of the device.'),
    object: z.literal('device').describe('Always `device`.'),
    key_id: z.int().describe('The license key it uses.'),
    fingerprint_hash: z.string().describe('A keyed hash; the fingerprint itself is not kept.'),
    components: z
      .record(z.string(), z.string())
      .describe('Parts of the machine by name, as keyed hashes.'),
    public_key_thumbprint: z
      .string()
      .nullable()
      .describe("SHA-256 of the device's own public key, base64url."),
    name: z.string().nullable().describe('What the program calls it.'),
    platform: z.string().nullable().describe('Its system.'),
    status: z.enum(['active', 'banned']).describe('A banned device starts no session.'),
    first_seen_at: DateTime.describe('When it was activated.'),
    last_seen_at: DateTime.describe('When it last started a session.'),
  })
  .meta({ id: 'Device', description: 'A machine that a license key is used on.' })
export type Device = z.output<typeof Device>

export const Session = z
  .object({
    id: z.int().describe('Of the session.'),
    object: z.literal('session').describe('Always `session`.'),
    key_id: z.int().nullable().describe('The license key; null for a public session.'),
    device_id: z.int().nullable().describe('The device.'),
    app_version: z.string().nullable().describe('What the program said it is.'),
    started_at: DateTime.describe('When it began.'),
    last_heartbeat_at: DateTime.describe('When the program last told that it runs.'),
    lease_expires_at: DateTime.describe('Without a heartbeat it ends then.'),
    expires_at: DateTime.describe('It ends then at the latest.'),
    ended_at: DateTime.nullable().describe('When it was ended.'),
    ended_reason: z.string().nullable().describe('Why it was ended.'),
  })
  .meta({ id: 'ClientSession', description: 'A program at work.' })
export type Session = z.output<typeof Session>

export const CursorPage = z.object(CursorQuery)
export type CursorPage = z.output<typeof CursorPage>

export const DeviceBan = z
  .object({
    id: z.int().describe('Of the ban.'),
    object: z.literal('device_ban').describe('Always `device_ban`.'),
    app_id: z.int().describe('The app it holds in.'),
    fingerprint_hash: z.string().nullable().describe('The banned machine, as a keyed hash.'),
    ip_cidr: z.string().nullable().describe('Or the banned addresses.'),
    reason: z.string().describe('Why; for yourself.'),
    expires_at: DateTime.nullable().describe('Until when; null is without end.'),
    key_id: z.int().nullable().describe('The license key whose ban made it.'),
    created_at: DateTime.describe('When it was made.'),
  })
  .meta({ id: 'DeviceBan', description: 'A machine or addresses that start no session.' })
export type DeviceBan = z.output<typeof DeviceBan>

export const NewDeviceBan = z
  .strictObject({
    app_id: NewAppId,
    fingerprint: Fingerprint.optional().describe('A machine by its fingerprint, or'),
    device_id: z.int().min(1).optional().describe('by a device that was seen, or'),
    ip_cidr: z
      .string()
      .refine(isRange, 'Use an address or a range such as 203.0.113.0/24.')
      // Who calls is known by IPv4 then, so this would be a ban of nobody.
      .refine((text) => !/^::ffff:\d+\./i.test(text), 'Write IPv4 addresses as such.')
      .refine((text) => isNetwork(text), 'The range has bits beyond its length; clear them.')
      .optional()
      .describe('addresses.'),
    reason: Line(255).describe('Why; for yourself.'),
    expires_at: DateTime.nullable().default(null).describe('Until when; null is without end.'),
  })
  .refine(
    ({ fingerprint, device_id, ip_cidr }) =>
      [fingerprint, device_id, ip_cidr].filter((item) => item !== undefined).length === 1,
    { path: ['fingerprint'], error: 'Send one of fingerprint, device_id and ip_cidr.' },
  )
  .meta({ id: 'NewDeviceBan', description: 'A new ban.' })
export type NewDeviceBan = z.output<typeof NewDeviceBan>

export const BanQuery = z.object({
  ...PageQuery,
  app_id: PathId.optional().describe('Only of this app.'),
})
export type BanQuery = z.output<typeof BanQuery>

/** PostgreSQL refuses a range whose address has bits set beyond its length. */
function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  if (bits === undefined) return true
  const bytes = address.includes(':') ? bytesOfIpv6(address) : address.split('.').map(Number)
  return bytes.every((byte, at) => {
    const kept = Math.min(8, Math.max(0, Number(bits) - at * 8))
    return (byte & (0xff >> kept)) === 0
  })
}

function bytesOfIpv6(address: string): number[] {
  const host = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail = ''] = host.split('::')
  const words = (part: string) => part.split(':').filter(Boolean)
  const middle = 8 - words(head).length - words(tail).length
  const all = host.includes('::')
    ? [...words(head), ...Array<string>(middle).fill('0'), ...words(tail)]
    : words(host)
  return all.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 0xff])
}
