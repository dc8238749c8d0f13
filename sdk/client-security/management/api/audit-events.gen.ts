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
    /** The cursor of the next page; null on the last page. */
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
  /** The kind of the record: its `object` field. */
  record_type: string
  /** The id of the record. */
  record_id: number
  /** The API key; null if no API key made the change. */
  actor_key_id: number | null
  /** The IP address of the caller. */
  ip: string | null
  /** A keyed hash of the record before the change. */
  before_hash: string | null
  /** A keyed hash of the record after the change. */
  after_hash: string | null
  /** The time of the change. */
  created_at: string
}

export interface AuditEventsListQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: number
  /** Only changes of this kind of record. */
  record_type?: string
  /** Only changes of the record with this id. */
  record_id?: number
  /** Only changes with this action. */
  action?: string
  /** Only changes at or after this time. */
  created_from?: string
  /** Only changes before this time. */
  created_to?: string
}
