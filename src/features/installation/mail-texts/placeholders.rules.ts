/**
 * The templates that a store can word. The texts about a user's password and address are those of the installation,
 * because a user can belong to several stores.
 */
export const STORE_TEMPLATES = [
  'order_received',
  'order_paid',
  'order_delivery',
  'order_shipped',
  'order_refunded',
  'payment_partial',
  'payment_review',
  'renewal_notice',
  'renewal_action',
  'renewal_failed',
  'stock_alert',
  'team_invitation',
] as const
export type StoreTemplate = (typeof STORE_TEMPLATES)[number]

/** The kinds of mail. A kind is listed when the program sends it. */
export const TEMPLATES = [
  ...STORE_TEMPLATES,
  'password_reset',
  'email_change',
  'email_changed',
] as const
export type Template = (typeof TEMPLATES)[number]

/** The names that stand for values in a text, as `{{store_name}}`. */
export const PLACEHOLDERS = [
  'store_name',
  'order_number',
  'order_url',
  'customer_name',
  'items',
  'total',
  'keys',
  'amount',
  'reason',
  'tracking_url',
  'link',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

/** A subject is stored and shown in lists unsealed, so it has neither keys nor links that open an order or an account. */
export const SUBJECT_PLACEHOLDERS = [
  'store_name',
  'order_number',
  'customer_name',
  'items',
  'total',
  'amount',
  'reason',
] as const satisfies readonly Placeholder[]

const WRITTEN = /\{\{([^{}]*)\}\}/g

/** Returns the first placeholder of a text that is not one of the allowed ones. */
export function unknownPlaceholder(
  text: string,
  allowed: readonly Placeholder[],
): string | undefined {
  const names = [...text.matchAll(WRITTEN)].map(([, name = '']) => name.trim())
  return names.find((name) => !(allowed as readonly string[]).includes(name))
}

/** Text, or the name of a placeholder in it. */
export type TextPart = { text: string } | { placeholder: Placeholder }

const isPlaceholder = (name: string): name is Placeholder =>
  (PLACEHOLDERS as readonly string[]).includes(name)

/** Splits a text at its placeholders. An unknown one stays text. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(WRITTEN)) {
    const placeholder = (match[1] ?? '').trim()
    if (!isPlaceholder(placeholder)) continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index) })
    parts.push({ placeholder })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
