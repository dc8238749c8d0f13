/** The email addresses and names that identify a person in texts. */
interface Person {
  emails: readonly string[]
  names: readonly string[]
  /** The email address that replaces those of the person. */
  replacement: string
}

/** A person and the ids of their records. */
export interface PersonRecords {
  person: Person
  /** The id of the customer, and the ids of customers that were merged into it. */
  customerIds: readonly number[]
  orderIds: readonly string[]
  /** The ids of all records of the person by type, because records of two types can have the same id. */
  idsByType: ReadonlyMap<string, readonly string[]>
}

/** The text that replaces texts with personal data in columns that cannot be null. */
export const ERASED_TEXT = 'Erased with the customer.'

/** Shorter names are replaced only if they are a whole `name`, because they occur inside other words. */
const NAME_LENGTH_MIN = 3
const ERASED_NAME = 'erased'

/** The replacements of fields that have personal data, by field name. */
const REPLACEMENTS: Record<string, (value: unknown) => unknown> = {
  ...Object.fromEntries(
    [
      'shipping_address',
      'ip',
      'user_agent',
      'return_url',
      'note',
      'reference',
      'proof_text',
      'proof_url',
      'tracking_number',
      'tracking_url',
      'message',
      'reply',
      'replied_at',
      'rejection_note',
      'customer_name',
    ].map((name) => [name, () => null]),
  ),
  custom_fields: () => ({}),
  tags: () => [],
  metadata: () => ({}),
  subject: () => ERASED_TEXT,
  body: () => ERASED_TEXT,
  text: (value) => (value === null ? null : ERASED_TEXT),
  status_history: (value) =>
    Array.isArray(value) ? value.map((entry) => ({ ...entry, reason: null })) : value,
}

/**
 * Returns a JSON value without personal data: fields for personal data are cleared, and the person's
 * addresses and names are replaced in all texts.
 */
export function withoutPerson(value: unknown, person: Person): unknown {
  const replaceIn = replacer(person)
  const shortNames = person.names.filter(isShort).map((name) => name.toLowerCase())
  const isShortName = (name: string, field: unknown) =>
    name === 'name' && typeof field === 'string' && shortNames.includes(field.toLowerCase())
  const cleanPart = (part: unknown): unknown => {
    if (typeof part === 'string') return replaceIn(part)
    if (Array.isArray(part)) return part.map(cleanPart)
    if (typeof part !== 'object' || part === null) return part
    const { object, order_id } = part as Record<string, unknown>
    // Only these entries have a reason that someone wrote; others name their order.
    const hasFreeReason = object === 'balance_entry' && order_id === null
    return Object.fromEntries(
      Object.entries(part).map(([name, field]) => {
        if (hasFreeReason && name === 'reason') return [name, ERASED_TEXT]
        if (isShortName(name, field)) return [name, ERASED_NAME]
        const replace = Object.hasOwn(REPLACEMENTS, name) ? REPLACEMENTS[name] : undefined
        return [name, cleanPart(replace ? replace(field) : field)]
      }),
    )
  }
  return cleanPart(value)
}

function replacer({ emails, names, replacement }: Person): (text: string) => string {
  const replacements = [
    ...emails.map((email) => [patternOf(email), replacement] as const),
    ...names
      .filter((name) => !isShort(name))
      .map((name) => [patternOf(name), ERASED_NAME] as const),
  ]
  return (text) =>
    replacements.reduce(
      (result, [pattern, substitute]) => result.replace(pattern, substitute),
      text,
    )
}

const isShort = (name: string): boolean => name.length < NAME_LENGTH_MIN

const patternOf = (text: string): RegExp =>
  new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')

/** Returns true if a stored answer has an email address, a customer id or an order id of the person. */
export function mentionsPerson(
  text: string,
  { person, customerIds, orderIds }: Omit<PersonRecords, 'idsByType'>,
): boolean {
  const lowerCase = text.toLowerCase()
  if (person.emails.some((email) => lowerCase.includes(email))) return true
  if (customerIds.some((id) => new RegExp(`"customer_id":${id}(?!\\d)`).test(text))) return true
  const personOrderIds = new Set(orderIds)
  return (text.match(/ord_[0-9A-Za-z]{22}/g) ?? []).some((id) => personOrderIds.has(id))
}
