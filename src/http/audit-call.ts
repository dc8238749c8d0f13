import type { RecordedFields } from '../audit/trail.ts'
import { isEmptyChange } from '../kernel/empty-change.ts'
import type { Endpoint, EndpointCall } from './endpoint.ts'

/** Returns true if the call runs in a transaction that ends with its audit event (decision 124). */
export function isAudited({ method, audit, reveals }: Endpoint, query: unknown): boolean {
  if (method !== 'GET') return audit === undefined
  if (reveals === undefined) return false
  if (reveals === 'always') return true
  return (query as FieldValues | undefined)?.[reveals.if_query] === true
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
/** The path segments that name an action on a list, not a record. */
const ACTION_SEGMENTS: ReadonlySet<string> = new Set(['order', 'batch', 'import'])
const PLURALS: readonly [RegExp, string][] = [
  [/^(details|stock|media|seo)$/, '$1'],
  [/ies$/, 'y'],
  [/s$/, ''],
]

function singularOf(words: string): string {
  const [ending, replacement] = PLURALS.find(([pattern]) => pattern.test(words)) ?? []
  return ending ? words.replace(ending, replacement ?? '') : words
}

/** Returns the action of an endpoint: `order.refund` for `orders.refund`. */
const actionOf = ({ id }: Endpoint): string => {
  const [area = '', verb = ''] = id.split('.')
  return `${singularOf(area)}.${verb}`
}

/** Returns the kind of the first record in the path: `product` for `/products/:id/variants`. */
function objectOf({ path }: Endpoint): string {
  const segments = path.split('/').slice(1)
  const idIndex = segments.findIndex((segment) => segment.startsWith(':'))
  const beforeId = segments.slice(0, idIndex === -1 ? segments.length : idIndex)
  const lastSegment = beforeId.findLast((segment) => !ACTION_SEGMENTS.has(segment)) ?? ''
  const word = singularOf(lastSegment).replaceAll('-', '_')
  return OBJECTS[word] ?? word
}

type FieldValues = Readonly<Record<string, unknown>>

/** Returns the action, the object and its id for the audit event of a call. */
export function auditedActionOf(endpoint: Endpoint, params: unknown, result: unknown) {
  const [pathId] = Object.values((params ?? {}) as FieldValues)
  const id = pathId ?? firstId(result)
  return {
    action: actionOf(endpoint),
    object: objectOf(endpoint),
    object_id: id === undefined ? null : String(id),
  }
}

/**
 * Returns the fields that the audit event records: the body, and the ids in the path after the first.
 * Returns undefined if the call changed nothing.
 */
export function recordedFields(
  { method, upload }: Endpoint,
  { params, body }: Pick<EndpointCall<unknown, unknown, unknown, unknown>, 'params' | 'body'>,
  result: unknown,
): RecordedFields | undefined {
  const [firstParam, ...otherParams] = Object.entries((params ?? {}) as FieldValues)
  const fields = Object.entries((body ?? {}) as FieldValues)
  const isUpdate = (method === 'PATCH' || method === 'PUT') && !upload
  // A change that sets no field has no effect (decision 391).
  if (isUpdate && isEmptyChange(body ?? {})) return undefined
  const ids = Object.fromEntries(otherParams)
  if (method !== 'POST') return { set: Object.fromEntries(fields), ids, isUpdate }
  // In a parsed body, omitted fields are null.
  const created = Object.fromEntries(fields.filter(([, value]) => value !== null))
  return {
    created: firstParam ? { ...created, ...createdIds(firstParam[1], result) } : created,
    ids,
  }
}

/** Returns the ids of created records: `{refund: {id: 7}, order: …}` gives `refund_id: 7`. */
function createdIds(id: unknown, result: unknown): FieldValues {
  const newRecords = recordsIn(result).filter(([, record]) => String(record.id) !== String(id))
  return Object.fromEntries(newRecords.map(([name, record]) => [`${name}_id`, record.id]))
}

const firstId = (result: unknown): unknown => recordsIn(result)[0]?.[1].id

const recordsIn = (result: unknown): [string, { id: unknown }][] =>
  Object.entries((result ?? {}) as FieldValues).filter(
    (entry): entry is [string, { id: unknown }] =>
      entry[1] !== null && typeof entry[1] === 'object' && 'id' in entry[1],
  )
