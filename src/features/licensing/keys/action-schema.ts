import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'
import { Fingerprint } from '../devices/index.ts'
import { KEYS_MAX, Seconds } from './schema.ts'

const Ban = {
  reason: Line(255).describe('Why; for yourself.'),
  public_reason: Line(255).nullable().default(null).describe('Why, as its holder is told.'),
  expires_at: DateTime.nullable().default(null).describe('Until when; null is without end.'),
  ban_devices: z
    .boolean()
    .default(false)
    .describe('Whether its machines are banned too, until the key is unbanned.'),
}
export const NewBan = z
  .strictObject(Ban)
  .meta({ id: 'NewLicenseBan', description: 'A ban of a key.' })
export type NewBan = z.output<typeof NewBan>

const Extend = {
  seconds: Seconds.optional().describe('How much longer, or'),
  until: DateTime.optional().describe('until when.'),
  from: z
    .enum(['end', 'now_if_expired'])
    .default('end')
    .describe('Whether the time of an expired key counts from its end or from now.'),
}
const oneWay = ({ seconds, until }: { seconds?: number; until?: string }) =>
  (seconds === undefined) !== (until === undefined)
const ONE_WAY = { path: ['seconds'], error: 'Send seconds or until.' }

export const Extension = z
  .strictObject(Extend)
  .refine(oneWay, ONE_WAY)
  .meta({ id: 'LicenseExtension', description: 'How much longer a key lasts.' })
export type Extension = z.output<typeof Extension>

export const Reset = z
  .strictObject({
    force: z.boolean().default(false).describe('Whether the cooldown and the count are passed by.'),
  })
  .meta({ id: 'DeviceReset', description: 'How devices are freed.' })
export type Reset = z.output<typeof Reset>

const ids = list(z.int().min(1), { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} ids.` })
  .min(1, 'Send at least one id.')
  .refine((list) => new Set(list).size === list.length, 'Send each id once.')
  .describe('The keys, 1 to 1000: all, or none.')

const action = <const A extends string>(name: A) => z.literal(name).describe('What is done.')

export const Batch = z
  .discriminatedUnion('action', [
    z.strictObject({ action: action('ban'), ids, ...Ban }),
    z.strictObject({ action: action('unban'), ids }),
    z.strictObject({ action: action('delete'), ids }),
    z.strictObject({ action: action('extend'), ids, ...Extend }).refine(oneWay, ONE_WAY),
    z.strictObject({ action: action('reset'), ids, force: Reset.shape.force }),
  ])
  .meta({ id: 'LicenseKeyBatch', description: 'One action on many keys.' })
export type Batch = z.output<typeof Batch>

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S

/** How long an offline file is good for: an hour to 30 days. */
export const FileTtl = z
  .int()
  .min(HOUR_S, 'Use 3600 (an hour) or more.')
  .max(30 * DAY_S, 'Use at most 2592000 (30 days).')
  .default(7 * DAY_S)
  .describe('How long the file is good for.')

export const NewLicenseFile = z
  .strictObject({
    device_id: z.int().min(1).optional().describe('A device of the key, or'),
    fingerprint: Fingerprint.optional().describe('its fingerprint.'),
    ttl_seconds: FileTtl,
  })
  .refine(
    ({ device_id, fingerprint }) => (device_id === undefined) !== (fingerprint === undefined),
    { path: ['device_id'], error: 'Send device_id or fingerprint.' },
  )
  .meta({ id: 'NewLicenseFile', description: 'For which device a file is made.' })
export type NewLicenseFile = z.output<typeof NewLicenseFile>

export const LicenseFile = {
  license_file: z.string().describe('The file: three parts of base64url with dots between.'),
  expires_at: DateTime.describe('When it is good no more.'),
}
