import type { RecordedFields } from '../audit/trail.ts'
import { isEmptyChange } from '../kernel/empty-change.ts'
import type { CallAudit, Endpoint, EndpointCall } from './endpoint.ts'

/** An endpoint whose calls write an audit event. */
export interface AuditedEndpoint extends Endpoint {
  audit: CallAudit
}

/** Returns true if the call runs in a transaction that ends with its audit event (decision 124). */
export function isAudited(endpoint: Endpoint, query: unknown): endpoint is AuditedEndpoint {
  const { method, audit, reveals } = endpoint
  if (typeof audit !== 'object') return false
  if (method !== 'GET' || reveals === 'always') return true
  if (reveals === undefined) return false
  return (query as FieldValues | undefined)?.[reveals.if_query] === true
}

type FieldValues = Readonly<Record<string, unknown>>

/** Returns the id of the record that the audit event of a call names. */
export function auditedId(params: unknown, result: unknown): string | null {
  const [pathId] = Object.values((params ?? {}) as FieldValues)
  const id = pathId ?? firstId(result)
  return id === undefined ? null : String(id)
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
