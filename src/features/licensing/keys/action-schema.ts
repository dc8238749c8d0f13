import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { DateTime, Line } from '../../../kernel/shapes.ts'
import { Fingerprint } from '../devices/index.ts'
import { KEYS_MAX, Seconds } from './schema.ts'

const Ban = {
  reason: Line(255).describe('The reason, for the seller only.'),
  public_reason: Line(255)
    .nullable()
    .default(null)
    .describe('The reason, as the license holder sees it.'),
  expires_at: DateTime.nullable()
    .default(null)
    .describe('When the ban ends; null if it has no end.'),
  ban_devices: z
    .boolean()
    .default(false)
    .describe('True if the devices of the key are banned too, until the key is unbanned.'),
}
export const NewBan = z
  .strictObject(Ban)
  .meta({ id: 'NewLicenseBan', description: 'A ban of a key.' })
export type NewBan = z.output<typeof NewBan>

const Extend = {
  seconds: Seconds.optional().describe(
    'The extension in seconds. Send either `seconds` or `until`.',
  ),
  until: DateTime.optional().describe('The new end. Send either `seconds` or `until`.'),
  from: z
    .enum(['end', 'now_if_expired'])
    .default('end')
    .describe('The start of the extension of an expired key: its end, or now.'),
}
const oneWay = ({ seconds, until }: { seconds?: number; until?: string }) =>
  (seconds === undefined) !== (until === undefined)
const ONE_WAY = { path: ['seconds'], error: 'Send either seconds or until.' }

export const Extension = z
  .strictObject(Extend)
  .refine(oneWay, ONE_WAY)
  .meta({ id: 'LicenseExtension', description: 'The extension of a license key.' })
export type Extension = z.output<typeof Extension>

export const Reset = z
  .strictObject({
    force: z
      .boolean()
      .default(false)
      .describe('True if the cooldown and the reset limit are ignored.'),
  })
  .meta({ id: 'DeviceReset', description: 'Options of a device reset.' })
export type Reset = z.output<typeof Reset>

const ids = list(z.int().min(1), { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} ids.` })
  .min(1, 'Send at least one id.')
  .refine((list) => new Set(list).size === list.length, 'Send each id once.')
  .describe('The ids of 1 to 1000 keys. The action applies to all of them or to none.')

const action = <const A extends string>(name: A) => z.literal(name).describe('The action.')

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

/** Validity of an offline license file: one hour to 30 days. */
export const FileTtl = z
  .int()
  .min(HOUR_S, 'Use 3600 (an hour) or more.')
  .max(30 * DAY_S, 'Use at most 2592000 (30 days).')
  .default(7 * DAY_S)
  .describe('How long the file is valid.')

export const NewLicenseFile = z
  .strictObject({
    device_id: z
      .int()
      .min(1)
      .optional()
      .describe('The id of a device of the key. Send either `device_id` or `fingerprint`.'),
    fingerprint: Fingerprint.optional().describe('The fingerprint of a device of the key.'),
    ttl_seconds: FileTtl,
  })
  .refine(
    ({ device_id, fingerprint }) => (device_id === undefined) !== (fingerprint === undefined),
    { path: ['device_id'], error: 'Send either device_id or fingerprint.' },
  )
  .meta({ id: 'NewLicenseFile', description: 'A request for an offline license file.' })
export type NewLicenseFile = z.output<typeof NewLicenseFile>

export const LicenseFile = {
  license_file: z.string().describe('The file: three base64url parts, separated by dots.'),
  expires_at: DateTime.describe('When the file expires.'),
}
