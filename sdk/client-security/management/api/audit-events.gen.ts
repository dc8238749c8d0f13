// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { List } from '../../../client/list.ts'
import type { CallOptions } from '../../../client/transport.ts'

/** The audit trail, and reports sent by programs. */
export interface AuditEventsApi {
  /**
   * List changes with their actors, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: AuditEventsListQuery, options?: CallOptions): List<{
    audit_events: AuditEvent[]
    /** The next page; null at the end. */
    next_cursor: number | null
  }, AuditEvent>
}

/** A change of a record. */
export interface AuditEvent {
  /** The id of the event. */
  id: number
  /** Always `audit_event`. */
  object: 'audit_event'
  /** The action, such as `license_key.ban`. */
  action: string
  /** The `object` of the record. */
  record_type: string
  /** The record. */
  record_id: number
  /** The API key; null where a rule of ours acted. */
  actor_key_id: number | null
  /** The address it called from. */
  ip: string | null
  /** A keyed hash of the record before. */
  before_hash: string | null
  /** A keyed hash of the record after. */
  after_hash: string | null
  /** When. */
  created_at: string
}

export interface AuditEventsListQuery {
  /** Records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** `next_cursor` of the page before. */
  cursor?: number
  /** Only of this kind of record. */
  record_type?: string
  /** Only of this record. */
  record_id?: number
  /** Only this action. */
  action?: string
  /** From then on. */
  created_from?: string
  /** Before then. */
  created_to?: string
}
