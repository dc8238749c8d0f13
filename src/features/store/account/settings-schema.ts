import { z } from 'zod'
import { Email } from '../../../kernel/shapes.ts'
import { TimeZone } from '../../../kernel/time-zone.ts'
import { Address, NewAddress } from '../orders/index.ts'

const whole = (from: number, to: number) =>
  z
    .int(`Use a whole number from ${from} to ${to}.`)
    .min(from, `Use ${from} to ${to}.`)
    .max(to, `Use ${from} to ${to}.`)

const SettingsFields = {
  order_expiry_minutes: whole(15, 10_080).describe(
    'Minutes until an unpaid order expires. Orders that exist keep their `expires_at`.',
  ),
  auto_review_days: whole(1, 30)
    .nullable()
    .describe(
      'Days after completion without a review until the store creates one; null for never.',
    ),
  return_window_days: whole(0, 365).describe(
    'Days after completion during which a return can be requested.',
  ),
  time_zone: TimeZone.describe("IANA name of the time zone of the seller's days."),
  support_email: Email.nullable().describe('The address for help; replies to mail go to it.'),
}

export const Settings = z
  .object({
    ...SettingsFields,
    return_address: Address.nullable().describe('The address for returned goods.'),
  })
  .meta({ id: 'Settings', description: 'The settings of a store.' })
export type Settings = z.output<typeof Settings>

export const SettingsPatch = z
  .strictObject({
    ...SettingsFields,
    return_address: NewAddress.nullable().describe('The address for returned goods.'),
  })
  .partial()
  .meta({ id: 'SettingsPatch' })
export type SettingsPatch = z.output<typeof SettingsPatch>
