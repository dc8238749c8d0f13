import { z } from 'zod'
import { NewAppId } from '../../../kernel/client-shapes.ts'
import { DateTime } from '../../../kernel/shapes.ts'
import { Prefix, RESET_COOLDOWN_S, Terms } from './schema.ts'

const Fields = {
  ...Terms,
  prefix: Prefix.nullable().describe('The prefix of each key, followed by a hyphen.'),
}

export const LicensePolicy = z
  .object({
    variant_id: z.int().describe('The variant. Each sale of it creates keys.'),
    object: z.literal('license_policy').describe('Always `license_policy`.'),
    app_id: z.int().describe('The app of the keys.'),
    ...Fields,
    updated_at: DateTime.describe('The time when the policy was last changed.'),
  })
  .meta({
    id: 'LicensePolicy',
    description: 'The terms of the license keys that sales of a variant create.',
  })
export type LicensePolicy = z.output<typeof LicensePolicy>

export const NewPolicy = z
  .strictObject({
    app_id: NewAppId,
    prefix: Fields.prefix.default(null),
    level: Fields.level.default(0),
    entitlements: Fields.entitlements.default([]),
    duration_seconds: Fields.duration_seconds.default(null),
    expiry_basis: Fields.expiry_basis.default('creation'),
    max_devices: Fields.max_devices.default(null),
    max_sessions: Fields.max_sessions.default(null),
    device_resets_left: Fields.device_resets_left.default(null),
    reset_cooldown_seconds: Fields.reset_cooldown_seconds.default(RESET_COOLDOWN_S),
    max_device_changes: Fields.max_device_changes.default(null),
  })
  .meta({
    id: 'LicensePolicyInput',
    description: 'The terms of the license keys that future sales create.',
  })
export type NewPolicy = z.output<typeof NewPolicy>
