import type { Changes } from './changes.rules.ts'

/** The actor of a change. */
export interface Actor {
  type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
  /** The id of the API key or the user; null for other actors. */
  id: string | null
  name: string | null
}

/** The actor of a change, with its IP address and request id. */
export interface Origin {
  actor: Actor
  address: string | null
  request_id: string | null
}

/** The origin of jobs and of the first start. */
export const SYSTEM: Origin = {
  actor: { type: 'system', id: null, name: null },
  address: null,
  request_id: null,
}

/** The additional fields of an event in the Client Security API's list of events. */
interface RecordHashes {
  record_type: string
  record_id: number
  before_hash: string | null
  after_hash: string | null
  actor_key_id: number | null
}

/** An action on a record. */
export interface AuditedAction {
  /** An action such as `order.refund`. */
  action: string
  object: string
  /** Null if the action concerns many records. */
  object_id: string | null
  changes: Changes
  record?: RecordHashes
}
