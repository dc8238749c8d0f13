import { z } from 'zod'
import { LANGUAGES } from '../../../kernel/language.ts'
import { Email, Line } from '../../../kernel/shapes.ts'
import { TimeZone } from '../../../kernel/time-zone.ts'
import { Address, NewAddress } from '../orders/index.ts'

const wholeNumber = (from: number, to: number) =>
  z
    .int(`Use a whole number from ${from} to ${to}.`)
    .min(from, `Use ${from} to ${to}.`)
    .max(to, `Use ${from} to ${to}.`)

const MAIL_FROM_NAME_MAX = 64

const SettingsFields = {
  order_expiry_minutes: wholeNumber(15, 10_080).describe(
    'Minutes until an unpaid order expires. Existing orders keep their `expires_at`.',
  ),
  auto_review_days: wholeNumber(1, 30)
    .nullable()
    .describe(
      'Days after the completion of an order until a missing review is created automatically; null means never.',
    ),
  return_window_days: wholeNumber(0, 365).describe(
    'Days after the completion of an order during which a return can be requested.',
  ),
  time_zone: TimeZone.describe(
    "The IANA name of the time zone in which the seller's days begin and end.",
  ),
  support_email: Email.nullable().describe(
    'The email address for support. Replies to the emails of the store go to it.',
  ),
  mail_from_name: Line(MAIL_FROM_NAME_MAX)
    .nullable()
    .describe('The name of the sender of mail; null for the name of the store.'),
  language: z
    .enum(LANGUAGES)
    .describe(
      'The language of mail. Orders that name no language get this one when they are made.',
    ),
  mail_api_orders: z
    .boolean()
    .describe(
      'If true, buyers of orders that were made with an API key get mail too. Mail about other orders is always sent.',
    ),
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
