import type { ButtonLabels } from './fill.rules.ts'
import type { Template } from './placeholders.rules.ts'

export interface MailText {
  subject: string
  body_text: string
}

/** The reasons for a refund that a mail can name. */
type RefundReason = 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'

/** The texts of mail in one language. */
export interface LanguageTexts {
  templates: Record<Template, MailText>
  labels: Omit<ButtonLabels, 'link'>
  /** The label of the button for `{{link}}`, which has another meaning in each template. */
  linkLabels: Partial<Record<Template, string>>
  linkLabel: string
  /** Empty for a reason that says nothing. */
  refundReasons: Record<RefundReason, string>
  /** The reason for which a payment of another amount went back. */
  otherAmount: string
  roles: Record<'owner' | 'admin' | 'staff' | 'viewer', string>
  /** Tells that a file is on the order page. */
  fileOnOrderPage: (name: string) => string
  moreKeys: (count: number) => string
  trackingNumber: (number: string) => string
  renewsOn: (day: string) => string
  stopStockMail: string
  sample: { customer_name: string; item: string; note: string }
}
