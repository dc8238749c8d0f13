import type { Sent } from '../audit/trail.ts'
import type { Call, Endpoint } from './endpoint.ts'

/** Whether the call runs in a transaction that ends with its audit event (decision 124). */
export function isAudited({ method, audit, reveals }: Endpoint, query: unknown): boolean {
  if (method !== 'GET') return audit === undefined
  if (reveals === undefined || reveals === 'always') return reveals === 'always'
  return (query as Ids | undefined)?.[reveals.when_asked_by] === true
}

/** Words of paths and ids that are called otherwise where the API names a record. */
const OBJECTS: Readonly<Record<string, string>> = {
  webhook: 'webhook_endpoint',
  delivery: 'webhook_delivery',
  key: 'license_key',
  app: 'client_app',
  blocklist: 'blocklist_entry',
}
/** Ways to act on a list, which are no records. */
const NO_RECORDS: ReadonlySet<string> = new Set(['order', 'batch', 'import'])
const PLURALS: readonly [RegExp, string][] = [
  [/^(details|stock|media|seo)$/, '$1'],
  [/ies$/, 'y'],
  [/s$/, ''],
]

function singular(words: string): string {
  const [ending, one] = PLURALS.find(([pattern]) => pattern.test(words)) ?? []
  return ending ? words.replace(ending, one ?? '') : words
}

/** `orders.refund` is the action `order.refund`. */
const actionOf = ({ id }: Endpoint): string => {
  const [area = '', verb = ''] = id.split('.')
  return `${singular(area)}.${verb}`
}

/** The record that the path names first: `/products/:id/variants` is about a product. */
function objectOf({ path }: Endpoint): string {
  const steps = path.split('/').slice(1)
  const at = steps.findIndex((step) => step.startsWith(':'))
  const named = steps.slice(0, at === -1 ? steps.length : at)
  const last = named.findLast((step) => !NO_RECORDS.has(step)) ?? ''
  const word = singular(last).replaceAll('-', '_')
  return OBJECTS[word] ?? word
}

type Ids = Readonly<Record<string, unknown>>

/** What was done to which record, by the endpoint's data and the answer. */
export function actOf(e: Endpoint, params: unknown, result: unknown) {
  const [named] = Object.values((params ?? {}) as Ids)
  const id = named ?? firstId(result)
  return {
    action: actionOf(e),
    object: objectOf(e),
    object_id: id === undefined ? null : String(id),
  }
}

/** What was sent, with the ids of records below the one that the path names first. */
export function sentWith(
  { method }: Endpoint,
  { params, body }: Pick<Call<unknown, unknown, unknown, unknown>, 'params' | 'body'>,
  result: unknown,
): Sent {
  const [named, ...below] = Object.entries((params ?? {}) as Ids)
  const sent = Object.entries((body ?? {}) as Ids)
  if (method !== 'POST') return { set: Object.fromEntries([...sent, ...below]) }
  // Fields that were left out are null in a body that was read.
  const made = Object.fromEntries(sent.filter(([, to]) => to !== null))
  return {
    made: named ? { ...made, ...madeBelow(named[1], result) } : made,
    set: Object.fromEntries(below),
  }
}

/** `{refund: {id: 7}, order: …}` made a refund: `refund_id` is 7. */
function madeBelow(id: unknown, result: unknown): Ids {
  const made = recordsIn(result).filter(([, record]) => String(record.id) !== String(id))
  return Object.fromEntries(made.map(([name, record]) => [`${name}_id`, record.id]))
}

const firstId = (result: unknown): unknown => recordsIn(result)[0]?.[1].id

const recordsIn = (result: unknown): [string, { id: unknown }][] =>
  Object.entries((result ?? {}) as Ids).filter(
    (entry): entry is [string, { id: unknown }] =>
      entry[1] !== null && typeof entry[1] === 'object' && 'id' in entry[1],
  )
