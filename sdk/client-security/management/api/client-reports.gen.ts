// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { List } from '../../../client/list.ts'
import type { CallOptions } from '../../../client/transport.ts'

/** The audit trail, and reports sent by programs. */
export interface ClientReportsApi {
  /**
   * List reports by client programs, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: ClientReportsListQuery, options?: CallOptions): List<{
    client_reports: ClientReport[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: number | null
  }, ClientReport>
}

/** A report by a client program about an attempt to tamper with it. */
export interface ClientReport {
  /** The report id. */
  id: number
  /** Always `client_report`. */
  object: 'client_report'
  /** The app id. */
  app_id: number
  /** The license key; null for a public session. */
  key_id: number | null
  /** The device id. */
  device_id: number | null
  /** The session that sent the report. */
  session_id: number
  /** The kind of report, as the program sent it. */
  kind: string
  /** The details of the detection, as the program sent them. */
  detail: string
  /** The action of the matching report rule. */
  action: 'log' | 'ban_device' | 'ban_key'
  /** The time when the report was saved. */
  created_at: string
}

export interface ClientReportsListQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The `next_cursor` of the previous page. */
  cursor?: number
  /** Only reports of this app. */
  app_id?: number
  /** Only reports of this license key. */
  key_id?: number
  /** Only reports of this kind. */
  kind?: string
  /** Only reports saved at or after this moment. */
  created_from?: string
  /** Only reports saved before this moment. */
  created_to?: string
}
