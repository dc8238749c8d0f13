/** The addresses and names by which a person is found in text. */
export interface Person {
  emails: readonly string[]
  names: readonly string[]
  /** The address that replaces theirs. */
  replacement: string
}

/** A person with their records. */
export interface Traces {
  person: Person
  /** The customer, and those that were merged into it. */
  customerIds: readonly number[]
  orderIds: readonly string[]
  /** Ids of all records of the person, by kind: records of several kinds may have the same number. */
  records: ReadonlyMap<string, readonly string[]>
}

/** Stands in for a text that was delivered: a delivery keeps a text, so it stays a delivery. */
export const ERASED_TEXT = 'Erased with the customer.'

/** A shorter name would be found inside other words. */
const NAME_MIN = 3

/** Fields that hold personal data, and their replacements. */
const CLEARED: Record<string, (value: unknown) => unknown> = {
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
    Array.isArray(value) ? value.map((step) => ({ ...step, reason: null })) : value,
}

/** A record as JSON without the person: fields that hold personal data, and their address and name in any text. */
export function withoutPerson(value: unknown, person: Person): unknown {
  const clean = cleaner(person)
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return clean(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    const { object, order_id } = part as Record<string, unknown>
    const isFree = object === 'balance_entry' && order_id === null
    return Object.fromEntries(
      Object.entries(part).map(([name, held]) => {
        if (isFree && name === 'reason') return [name, ERASED_TEXT]
        const clear = Object.hasOwn(CLEARED, name) ? CLEARED[name] : undefined
        return [name, walk(clear ? clear(held) : held)]
      }),
    )
  }
  return walk(value)
}

function cleaner({ emails, names, replacement }: Person): (text: string) => string {
  const finders = [
    ...emails.map((email) => [finder(email), replacement] as const),
    ...names
      .filter((name) => name.length >= NAME_MIN)
      .map((name) => [finder(name), 'erased'] as const),
  ]
  return (text) => finders.reduce((rest, [found, by]) => rest.replace(found, by), text)
}

const finder = (text: string): RegExp =>
  new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')

/** Returns true if a stored answer names the person, their customer, or one of their orders. */
export function isAbout(
  text: string,
  { person, customerIds, orderIds }: Omit<Traces, 'records'>,
): boolean {
  const lower = text.toLowerCase()
  if (person.emails.some((email) => lower.includes(email))) return true
  if (customerIds.some((id) => new RegExp(`"customer_id":${id}(?!\\d)`).test(text))) return true
  const known = new Set(orderIds)
  return (text.match(/ord_[0-9A-Za-z]{22}/g) ?? []).some((id) => known.has(id))
}
