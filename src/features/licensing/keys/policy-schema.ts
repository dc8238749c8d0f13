import { z } from 'zod'
import { NewAppId } from '../../../kernel/client-shapes.ts'
import { DateTime } from '../../../kernel/shapes.ts'
import { Prefix, RESET_COOLDOWN_S, Terms } from './schema.ts'

const Fields = {
  ...Terms,
  prefix: Prefix.nullable().describe('Stands before each key, with a hyphen.'),
}

export const LicensePolicy = z
  .object({
    variant_id: z.int().describe('The variant whose sales make keys.'),
    object: z.literal('license_policy').describe('Always `license_policy`.'),
    app_id: z.int().describe('The app that the keys are of.'),
    ...Fields,
    updated_at: DateTime.describe('When it was changed.'),
  })
  .meta({ id: 'LicensePolicy', description: 'What a license key is that a sale makes.' })
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
  .meta({ id: 'NewLicensePolicy', description: 'What keys a sale makes from now on.' })
export type NewPolicy = z.output<typeof NewPolicy>
