import { type MailTemplate, type StoreContext, useRead } from '../../api/store.ts'
import { LANGUAGE_NAMES } from '../../text/catalogue.ts'
import { mail } from '../../text/mail.ts'

type MailLanguage = MailTemplate['language']
export const MAIL_LANGUAGES = Object.keys(LANGUAGE_NAMES) as MailLanguage[]

/** The texts of all kinds of mail in all languages. */
export const readTemplates = async ({ api }: StoreContext): Promise<readonly MailTemplate[]> =>
  (await api.account.listMailTemplates()).mail_templates

export const useTemplates = () => useRead(['account', 'mail templates'], readTemplates)

const WHEN: Record<string, string> = mail
export const whenText = (template: string): string => WHEN[template] ?? ''

const OF_ORDERS = ['order_number', 'customer_name', 'items', 'total', 'order_url'] as const
const MORE_OF_ORDERS: Record<string, readonly Placeholder[]> = {
  order_delivery: ['keys'],
  order_shipped: ['tracking_url'],
  order_refunded: ['amount', 'reason'],
  payment_partial: ['amount'],
  payment_review: ['amount'],
  renewal_notice: ['amount'],
  renewal_action: ['amount'],
  renewal_failed: ['amount'],
}

export type Placeholder =
  | (typeof OF_ORDERS)[number]
  | 'store_name'
  | 'keys'
  | 'amount'
  | 'reason'
  | 'tracking_url'
  | 'link'

/** The placeholders that have a value in a kind of mail. The API accepts the others, which are empty. */
export function placeholdersOf(template: string): readonly Placeholder[] {
  if (template === 'stock_alert') return ['store_name', 'items']
  if (template === 'team_invitation') return ['store_name', 'reason', 'link']
  return ['store_name', ...OF_ORDERS, ...(MORE_OF_ORDERS[template] ?? [])]
}

/** A subject is stored and listed as it is, so the API accepts neither keys nor links in it. */
const NOT_IN_SUBJECTS: readonly Placeholder[] = ['keys', 'order_url', 'tracking_url', 'link']
export const subjectPlaceholdersOf = (template: string): readonly Placeholder[] =>
  placeholdersOf(template).filter((name) => !NOT_IN_SUBJECTS.includes(name))

export const placeholderText = (template: string, name: Placeholder): string =>
  template === 'team_invitation' && name === 'reason' ? mail.role : mail[name]
