import type { Changes } from './changes.rules.ts'

/** `id` is that of the API key or user; the command line and the system have none. */
export interface Actor {
  type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
  id: string | null
  name: string | null
}

/** The actor, with its address and request id. */
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

/** The hashes that the Client Security API's list of events also shows. */
export interface RecordHashes {
  record_type: string
  record_id: number
  before_hash: string | null
  after_hash: string | null
  actor_key_id: number | null
}

/** An action on a record. */
export interface Act {
  /** `order.refund` */
  action: string
  object: string
  /** Null if the action concerns many records. */
  object_id: string | null
  changes: Changes
  record?: RecordHashes
}
