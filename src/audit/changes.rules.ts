import { counted } from '../kernel/counted.ts'
import { isSameJson } from '../kernel/same-json.ts'
import { truncate } from '../kernel/truncate.ts'

/** A changed field in an audit event. Secrets are masked. */
interface FieldChange {
  /** The former value. Null if there was none; absent if the operation did not read it. */
  from?: unknown
  to: unknown
}
export type Changes = Record<string, FieldChange>

type Fields = Readonly<Record<string, unknown>>

const MASK = '••••'

/** The fields whose values are masked: secrets, and data that identifies a customer. */
const MASKED_FIELDS: ReadonlySet<string> = new Set([
  ...['keys', 'key', 'value', 'default_value', 'constraints', 'settings', 'secret', 'password'],
  ...['secret_key', 'webhook_secret'],
  ...['token', 'api_key', 'text', 'delivered_message', 'content_base64', 'license_key'],
  ...['customer', 'customer_email', 'email', 'to', 'allowed_emails', 'shipping_address', 'phone'],
  ...['ip', 'user_agent', 'fingerprint', 'proof_text', 'proof_url', 'note', 'metadata'],
  ...['customer_name', 'subject', 'message', 'body', 'reply', 'rejection_note'],
  ...['custom_fields', 'components', 'hash', 'key_hmac', 'key_enc'],
])

/** The timestamps that every change updates. They are not recorded. */
const IGNORED_FIELDS: ReadonlySet<string> = new Set(['updated_at'])

const SECRET_TEXT = /(?:sk|rk|sec)_(?:live|test)_\w|whsec_\w|\bapi[-_]?key=/i
const TEXT_MAX = 300

/** Returns the fields of `after` that differ from `before`, which is null for a new record. */
export function changesOf(before: Fields | null, after: Fields): Changes {
  const changes: Changes = {}
  for (const [name, to] of Object.entries(after)) {
    const from = before?.[name] ?? null
    if (to === undefined || IGNORED_FIELDS.has(name) || isSameJson(from, to)) continue
    changes[name] = { from: auditValue(name, from), to: auditValue(name, to) }
  }
  return changes
}

/** Returns the fields that were set, without their former values. */
export const changesOfNew = (fields: Fields): Changes =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, to]) => to !== undefined)
      .map(([name, to]) => [name, { to: auditValue(name, to) }]),
  )

/** Returns a value for an audit event: shortened, and masked if it is secret. */
function auditValue(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (MASKED_FIELDS.has(name)) return Array.isArray(value) ? `${MASK} (${value.length})` : MASK
  if (typeof value === 'string') return maskText(name, value)
  if (typeof value !== 'object') return value
  const text = JSON.stringify(maskObject(name, value))
  if (text.length <= TEXT_MAX) return JSON.parse(text)
  return Array.isArray(value)
    ? counted(value.length, 'item')
    : counted(Object.keys(value).length, 'field')
}

function maskObject(name: string, value: object): unknown {
  if (Array.isArray(value)) return value.map((item) => auditValue(name, item))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, auditValue(key, item)]),
  )
}

/** Masks a text that contains a secret. A URL is shortened to its origin, because its path may contain a token. */
function maskText(name: string, text: string): string {
  if (SECRET_TEXT.test(text)) return MASK
  if (/url$/.test(name) && URL.canParse(text)) return `${new URL(text).origin}/${MASK}`
  return text.length > TEXT_MAX ? `${truncate(text, TEXT_MAX)}…` : text
}
