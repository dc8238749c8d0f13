/** A changed field in an audit event. Secrets are masked. */
export interface Change {
  /** Null if there was no value; absent if the operation did not read it. */
  from?: unknown
  to: unknown
}
export type Changes = Record<string, Change>

type Fields = Readonly<Record<string, unknown>>

const MASK = '••••'

/** Fields whose values are masked: secrets, and data that identifies a customer. */
const HIDDEN: ReadonlySet<string> = new Set([
  ...['keys', 'key', 'value', 'default_value', 'constraints', 'settings', 'secret', 'password'],
  ...['token', 'api_key', 'text', 'delivered_message', 'content_base64', 'license_key'],
  ...['customer', 'customer_email', 'email', 'allowed_emails', 'shipping_address', 'phone'],
  ...['ip', 'user_agent', 'fingerprint', 'proof_text', 'proof_url', 'note', 'metadata'],
  ...['customer_name', 'subject', 'message', 'body', 'reply', 'rejection_note'],
  ...['custom_fields', 'components', 'hash', 'key_hmac', 'key_enc'],
])

/** Timestamps that every change updates. */
const MOVED: ReadonlySet<string> = new Set(['updated_at'])

const SECRET = /(?:sk|sec)_(?:live|test)_\w|whsec_\w|\bapi[-_]?key=/i
const SHOWN_MAX = 300
/** A cut may split a surrogate pair, and half of one cannot be stored. */
const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/

/** Compares the fields of `after` with those of `before`, which is null for a new record. */
export function changesOf(before: Fields | null, after: Fields): Changes {
  const changes: Changes = {}
  for (const [name, to] of Object.entries(after)) {
    const from = before?.[name] ?? null
    if (to === undefined || MOVED.has(name) || isSame(from, to)) continue
    changes[name] = { from: shown(name, from), to: shown(name, to) }
  }
  return changes
}

/** Fields that were set, without their former values. */
export const setTo = (fields: Fields): Changes =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, to]) => to !== undefined)
      .map(([name, to]) => [name, { to: shown(name, to) }]),
  )

const isSame = (item: unknown, other: unknown): boolean =>
  JSON.stringify(item) === JSON.stringify(other)

/** A value in an audit event: shortened, and masked if secret. */
export function shown(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (HIDDEN.has(name)) return Array.isArray(value) ? `${MASK} (${value.length})` : MASK
  if (typeof value === 'string') return maskedText(name, value)
  if (typeof value !== 'object') return value
  const text = JSON.stringify(masked(name, value))
  if (text.length <= SHOWN_MAX) return JSON.parse(text)
  return Array.isArray(value) ? `${value.length} items` : `${Object.keys(value).length} fields`
}

function masked(name: string, value: object): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(name, item))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(key, item)]))
}

/** Only the origin of a URL is shown, because its path may contain a token. */
function maskedText(name: string, text: string): string {
  if (SECRET.test(text)) return MASK
  if (/url$/.test(name) && URL.canParse(text)) return `${new URL(text).origin}/${MASK}`
  return text.length > SHOWN_MAX
    ? `${text.slice(0, SHOWN_MAX).replace(HALF_A_CHARACTER, '')}…`
    : text
}
