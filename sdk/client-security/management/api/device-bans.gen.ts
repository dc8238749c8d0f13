// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { List } from '../../../client/list.ts'
import type { CallOptions, PostOptions } from '../../../client/transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Banned machines and addresses, which cannot start a session. */
export interface DeviceBansApi {
  /**
   * List bans of devices and addresses, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: DeviceBansListQuery, options?: CallOptions): List<{ device_bans: DeviceBan[]; pagination: Pagination }, DeviceBan>
  /**
   * Ban a device or addresses in one app.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 422
   */
  create(body: DeviceBanInput, options?: PostOptions): Call<{
    device_ban: DeviceBan
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Lift a ban of a device or addresses.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 422
   */
  delete(id: number, options?: CallOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
}

/** A ban of a device or of addresses, which then cannot start a session. */
export interface DeviceBan {
  /** The ban id. */
  id: number
  /** Always `device_ban`. */
  object: 'device_ban'
  /** The app that the ban applies to. */
  app_id: number
  /** The keyed hash of the banned fingerprint; null for a ban of addresses. */
  fingerprint_hash: string | null
  /** The banned addresses; null for a ban of a device. */
  ip_cidr: string | null
  /** The reason, for the seller only. */
  reason: string
  /** The time when the ban ends; null if it has no end. */
  expires_at: string | null
  /** The license key whose ban created this ban; null if no key ban created it. */
  key_id: number | null
  /** The time when the ban was created. */
  created_at: string
}

/** A new ban of a device or of addresses. */
export interface DeviceBanInput {
  /** The id of the app. Default: the default app. */
  app_id?: number
  /**
   * The fingerprint to ban. Default: none; send one of `fingerprint`, `device_id` and `ip_cidr`.
   */
  fingerprint?: string
  /** A registered device to ban. Default: none. */
  device_id?: number
  /** The address or range to ban. Default: none. */
  ip_cidr?: string
  /** The reason, for the seller only. */
  reason: string
  /** The time when the ban ends; null if it has no end. */
  expires_at?: string | null
}

export interface DeviceBansListQuery extends PageQuery {
  /** Only bans of this app. */
  app_id?: number
}
