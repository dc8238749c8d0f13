import type { Changes } from './changes.rules.ts'

/** Who acts. `id` is the API key's or the user's; a command line and a rule of ours have none. */
export interface Actor {
  type: 'api_key' | 'user' | 'command_line' | 'customer' | 'system'
  id: string | null
  name: string | null
}

/** Who acts, from which address, and with which request. */
export interface Origin {
  actor: Actor
  address: string | null
  request_id: string | null
}

/** What acts where nobody asked: jobs, and the first start. */
export const SYSTEM: Origin = {
  actor: { type: 'system', id: null, name: null },
  address: null,
  request_id: null,
}

/** What the Client Security API's own list shows of an event besides. */
export interface RecordHashes {
  record_type: string
  record_id: number
  before_hash: string | null
  after_hash: string | null
  actor_key_id: number | null
}

/** What was done to which record. */
export interface Act {
  /** `order.refund` */
  action: string
  object: string
  /** Null where the act is about many records. */
  object_id: string | null
  changes: Changes
  record?: RecordHashes
}
