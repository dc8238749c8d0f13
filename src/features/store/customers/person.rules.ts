/** What a person is recognized by in text. */
export interface Person {
  emails: readonly string[]
  names: readonly string[]
  /** The address that replaces theirs. */
  replacement: string
}

/** Stands in for a text that was delivered: a delivery keeps a text, so it stays a delivery. */
export const ERASED_TEXT = 'Erased with the customer.'

/** A shorter name would be found inside other words. */
const NAME_MIN = 3

/** Fields that hold personal data, and what replaces it. */
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
    return Object.fromEntries(
      Object.entries(part).map(([name, held]) => {
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

/** Whether a stored answer speaks of the person, or of one of their orders. */
export function isAbout(text: string, { emails }: Person, orderIds: readonly string[]): boolean {
  const lower = text.toLowerCase()
  if (emails.some((email) => lower.includes(email))) return true
  const known = new Set(orderIds)
  return (text.match(/ord_[0-9A-Za-z]{22}/g) ?? []).some((id) => known.has(id))
}
