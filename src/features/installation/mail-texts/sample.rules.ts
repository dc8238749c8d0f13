import { formatDay, formatMoney, type Language } from '../../../kernel/language.ts'
import type { MailValues } from './fill.rules.ts'
import type { StoreTemplate } from './placeholders.rules.ts'
import { textsIn } from './texts.rules.ts'

const AMOUNT_CENTS = 4_900

interface SampleStore {
  name: string
  currency: string
}

/** Returns the values with which a preview of a template is filled. */
export function sampleValues(
  { name, currency }: SampleStore,
  { template, language, now }: { template: StoreTemplate; language: Language; now: string },
): MailValues {
  const texts = textsIn(language)
  const { customer_name, item, note } = texts.sample
  const money = formatMoney(AMOUNT_CENTS, currency, language)
  const isRenewal = template === 'renewal_notice'
  const label = template === 'stock_alert' ? item : `1 × ${item} (${note})`
  const day = texts.renewsOn(formatDay(now, 'UTC', language))
  return {
    store_name: name,
    order_number: '1042',
    order_url: 'https://example.com/order',
    customer_name,
    items: [{ label, amount: money, ...(isRenewal && { note: day }) }],
    total: money,
    keys: [{ title: `1 × ${item} (${note})`, keys: ['AAAA-BBBB-CCCC-DDDD'], notes: [] }],
    amount: money,
    reason:
      template === 'team_invitation'
        ? texts.roles.staff
        : texts.refundReasons.requested_by_customer,
    tracking_url: 'https://example.com/parcel',
    link: 'https://example.com/page',
  }
}
