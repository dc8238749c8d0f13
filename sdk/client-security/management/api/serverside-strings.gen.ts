// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { List } from '../../../client/list.ts'
import type { CallOptions, PostOptions, VersionOptions } from '../../../client/transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Texts that only a program with a session can read. */
export interface ServersideStringsApi {
  /**
   * List server-side strings without their values, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: ServersideStringsListQuery, options?: CallOptions): List<{
    serverside_strings: ListedServersideString[]
    pagination: Pagination
  }, ListedServersideString>
  /**
   * Create a server-side string.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 422
   */
  create(body: ServersideStringInput, options?: PostOptions): Call<{
    serverside_string: ServersideString
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Get a server-side string with its value.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ serverside_string: ServersideString }>
  /**
   * Replace the content of a server-side string. Its status stays unchanged.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 412, 422
   */
  replace(id: number, body: ServersideStringContent, options?: VersionOptions): Call<{
    serverside_string: ServersideString
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Activate or deactivate a server-side string.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 412, 422
   */
  switch(id: number, body: ServersideStringSwitch, options?: VersionOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Delete a server-side string.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 412, 422
   */
  delete(id: number, options?: VersionOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
}

/** A string without its value. */
export interface ListedServersideString {
  /** The string id. */
  id: number
  /** Always `serverside_string`. */
  object: 'serverside_string'
  /** The app id. */
  app_id: number
  /** The name by which programs read the string, unique in the app. */
  name: string
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions.
   */
  access: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. */
  min_level: number
  /** A note for the seller. */
  description: string | null
  /** Programs cannot read an inactive string. */
  status: 'active' | 'inactive'
  /** The size of the value in bytes. */
  value_bytes: number
  /** The version for `If-Match`. Every change increases it. */
  version: number
  /** The number of reads by programs. */
  fetch_count: number
  /** The time at which a program last read the string. */
  last_fetched_at: string | null
  /** The time at which the string was created. */
  created_at: string
  /** The time of the last change of the string. */
  updated_at: string
}

/** A text that programs fetch from the server. */
export interface ServersideString extends ListedServersideString {
  /** The value, exactly as it was sent. */
  value: string
}

/** The fields of a server-side string, without its status. */
export interface ServersideStringContent {
  /** The name by which programs read the string, unique in the app. */
  name: string
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions. Default `"licensed"`.
   */
  access?: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. Default `0`. */
  min_level?: number
  /** A note for the seller. */
  description?: string | null
  /** The value: at most 65536 bytes of UTF-8. */
  value: string
}

/** A new string. */
export interface ServersideStringInput {
  /** The id of the app. Default: the default app. */
  app_id?: number
  /** The name by which programs read the string, unique in the app. */
  name: string
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions. Default `"licensed"`.
   */
  access?: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. Default `0`. */
  min_level?: number
  /** A note for the seller. */
  description?: string | null
  /** The value: at most 65536 bytes of UTF-8. */
  value: string
  /** Programs cannot read an inactive string. Default `"active"`. */
  status?: 'active' | 'inactive'
}

/** The status of a server-side string. */
export interface ServersideStringSwitch {
  /** `active` or `inactive`. */
  status: 'active' | 'inactive'
}

export interface ServersideStringsListQuery extends PageQuery {
  /** Only strings of this app. */
  app_id?: number
}
