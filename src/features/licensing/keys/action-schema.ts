import { z } from 'zod'
import { list } from '../../../kernel/bounded.ts'
import { withRule } from '../../../kernel/broken-rule.ts'
import { DateTime, InputTime, Line } from '../../../kernel/shapes.ts'
import { Fingerprint } from '../devices/index.ts'
import { KEYS_MAX, Seconds } from './schema.ts'

const BanFields = {
  reason: Line(255).describe('The reason, for the seller only.'),
  public_reason: Line(255)
    .nullable()
    .default(null)
    .describe('The reason, as the license holder sees it.'),
  expires_at: InputTime.nullable()
    .prefault(null)
    .describe('The time when the ban ends; null if it has no end.'),
  ban_devices: z
    .boolean()
    .default(false)
    .describe('True to also ban the devices of the key until the key is unbanned.'),
}
export const NewBan = z
  .strictObject(BanFields)
  .meta({ id: 'LicenseBanInput', description: 'A ban of a key.' })
export type NewBan = z.output<typeof NewBan>

const ExtensionFields = {
  seconds: Seconds.optional().describe(
    'The length of the extension. Default: none; send either `seconds` or `until`.',
  ),
  until: InputTime.optional().describe(
    'The new end. Default: none; send either `seconds` or `until`.',
  ),
  from: z
    .enum(['end', 'now_if_expired'])
    .default('end')
    .describe(
      'The moment from which an expired key is extended: its `end`, or now (`now_if_expired`).',
    ),
}
const hasOneEnd = ({ seconds, until }: { seconds?: number; until?: string }) =>
  (seconds === undefined) !== (until === undefined)
const ONE_END = { path: ['seconds'], error: 'Send either seconds or until.' }

export const Extension = z
  .strictObject(ExtensionFields)
  .refine(hasOneEnd, ONE_END)
  .meta({ id: 'LicenseExtension', description: 'The extension of a license key.' })
export type Extension = z.output<typeof Extension>

export const Reset = z
  .strictObject({
    force: z.boolean().default(false).describe('True to ignore the cooldown and the reset limit.'),
  })
  .meta({ id: 'DeviceReset', description: 'Options of a device reset.' })
export type Reset = z.output<typeof Reset>

const KeyIds = list(z.int().min(1), { max: KEYS_MAX, error: `Send at most ${KEYS_MAX} ids.` })
  .min(1, 'Send at least one id.')
  .refine(
    (ids) => new Set(ids).size === ids.length,
    withRule('Send each id once.', { rule: 'unique' }),
  )
  .describe('The ids of 1 to 1000 keys. The action applies to all of them or to none.')

const actionLiteral = <const A extends string>(name: A) => z.literal(name).describe('The action.')

export const KeyBatch = z
  .discriminatedUnion('action', [
    z.strictObject({ action: actionLiteral('ban'), ids: KeyIds, ...BanFields }),
    z.strictObject({ action: actionLiteral('unban'), ids: KeyIds }),
    z.strictObject({ action: actionLiteral('delete'), ids: KeyIds }),
    z
      .strictObject({ action: actionLiteral('extend'), ids: KeyIds, ...ExtensionFields })
      .refine(hasOneEnd, ONE_END),
    z.strictObject({ action: actionLiteral('reset'), ids: KeyIds, force: Reset.shape.force }),
  ])
  .meta({ id: 'LicenseKeyBatch', description: 'One action on many keys.' })
export type KeyBatch = z.output<typeof KeyBatch>

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S

/** The validity of an offline license file: one hour to 30 days. */
export const FileTtl = z
  .int()
  .min(HOUR_S, 'Use 3600 (an hour) or more.')
  .max(30 * DAY_S, 'Use at most 2592000 (30 days).')
  .default(7 * DAY_S)
  .describe('The validity of the file.')

export const NewLicenseFile = z
  .strictObject({
    device_id: z
      .int()
      .min(1)
      .optional()
      .describe(
        'The id of a device of the key. Default: none; send either `device_id` or `fingerprint`.',
      ),
    fingerprint: Fingerprint.optional().describe(
      'The fingerprint of a device of the key. Default: none; send either `device_id` or `fingerprint`.',
    ),
    ttl_seconds: FileTtl,
  })
  .refine(
    ({ device_id, fingerprint }) => (device_id === undefined) !== (fingerprint === undefined),
    { path: ['device_id'], error: 'Send either device_id or fingerprint.' },
  )
  .meta({ id: 'LicenseFileInput', description: 'A request for an offline license file.' })
export type NewLicenseFile = z.output<typeof NewLicenseFile>

export const LicenseFile = z.object({
  license_file: z.string().describe('The file: three base64url parts, separated by dots.'),
  expires_at: DateTime.describe('The time when the file expires.'),
})
export type LicenseFile = z.output<typeof LicenseFile>
