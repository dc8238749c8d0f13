import type { Sent } from '../audit/trail.ts'
import type { Call, Endpoint } from './endpoint.ts'

/** True if the call runs in a transaction that ends with its audit event (decision 124). */
export function isAudited({ method, audit, reveals }: Endpoint, query: unknown): boolean {
  if (method !== 'GET') return audit === undefined
  if (reveals === undefined || reveals === 'always') return reveals === 'always'
  return (query as Ids | undefined)?.[reveals.when_asked_by] === true
}

/** Object names of audit events that differ from the words in paths and endpoint ids. */
const OBJECTS: Readonly<Record<string, string>> = {
  webhook: 'webhook_endpoint',
  delivery: 'webhook_delivery',
  key: 'license_key',
  app: 'client_app',
  blocklist: 'blocklist_entry',
  partner: 'affiliate_partner',
  application: 'affiliate_partner',
  conversion: 'affiliate_conversion',
  payout: 'affiliate_payout',
}
/** Path segments that name an action on a list, not a record. */
const NO_RECORDS: ReadonlySet<string> = new Set(['order', 'batch', 'import'])
const PLURALS: readonly [RegExp, string][] = [
  [/^(details|stock|media|seo)$/, '$1'],
  [/ies$/, 'y'],
  [/s$/, ''],
]

function singular(words: string): string {
  const [ending, replacement] = PLURALS.find(([pattern]) => pattern.test(words)) ?? []
  return ending ? words.replace(ending, replacement ?? '') : words
}

/** `orders.refund` is the action `order.refund`. */
const actionOf = ({ id }: Endpoint): string => {
  const [area = '', verb = ''] = id.split('.')
  return `${singular(area)}.${verb}`
}

/** The first record in the path: `/products/:id/variants` is about a product. */
function objectOf({ path }: Endpoint): string {
  const steps = path.split('/').slice(1)
  const at = steps.findIndex((step) => step.startsWith(':'))
  const named = steps.slice(0, at === -1 ? steps.length : at)
  const last = named.findLast((step) => !NO_RECORDS.has(step)) ?? ''
  const word = singular(last).replaceAll('-', '_')
  return OBJECTS[word] ?? word
}

type Ids = Readonly<Record<string, unknown>>

/** The action, the object and its id, from the endpoint and the answer. */
export function actOf(e: Endpoint, params: unknown, result: unknown) {
  const [pathId] = Object.values((params ?? {}) as Ids)
  const id = pathId ?? firstId(result)
  return {
    action: actionOf(e),
    object: objectOf(e),
    object_id: id === undefined ? null : String(id),
  }
}

/**
 * The fields that the audit event records: the body, and the ids of records below the first in the
 * path.
 */
export function sentWith(
  { method }: Endpoint,
  { params, body }: Pick<Call<unknown, unknown, unknown, unknown>, 'params' | 'body'>,
  result: unknown,
): Sent {
  const [first, ...below] = Object.entries((params ?? {}) as Ids)
  const fields = Object.entries((body ?? {}) as Ids)
  if (method !== 'POST') return { set: Object.fromEntries([...fields, ...below]) }
  // In a parsed body, omitted fields are null.
  const created = Object.fromEntries(fields.filter(([, to]) => to !== null))
  return {
    made: first ? { ...created, ...createdIds(first[1], result) } : created,
    set: Object.fromEntries(below),
  }
}

/** The ids of created records: `{refund: {id: 7}, order: …}` gives `refund_id: 7`. */
function createdIds(id: unknown, result: unknown): Ids {
  const created = recordsIn(result).filter(([, record]) => String(record.id) !== String(id))
  return Object.fromEntries(created.map(([name, record]) => [`${name}_id`, record.id]))
}

const firstId = (result: unknown): unknown => recordsIn(result)[0]?.[1].id

const recordsIn = (result: unknown): [string, { id: unknown }][] =>
  Object.entries((result ?? {}) as Ids).filter(
    (entry): entry is [string, { id: unknown }] =>
      entry[1] !== null && typeof entry[1] === 'object' && 'id' in entry[1],
  )
