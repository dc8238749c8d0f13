// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { List } from '../../../client/list.ts'
import type { CallOptions, PostOptions, VersionOptions } from '../../../client/transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Typed values that programs read, with a history of changes. */
export interface RemoteSettingsApi {
  /**
   * List remote settings, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: RemoteSettingsListQuery, options?: CallOptions): List<{
    remote_settings: RemoteSetting[]
    pagination: Pagination
  }, RemoteSetting>
  /**
   * Create a remote setting.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 422
   */
  create(body: RemoteSettingInput, options?: PostOptions): Call<{
    remote_setting: RemoteSetting
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Replace all remote settings of an app.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 412, 422
   */
  replace(body: AllRemoteSettings, options?: VersionOptions): Call<{
    /** All settings, sorted by key. */
    remote_settings: RemoteSetting[]
    /** The new version of the configuration. */
    config_version: number
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Get a remote setting.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ remote_setting: RemoteSetting }>
  /**
   * Update a remote setting. Fields you leave out keep their value.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 412, 422
   */
  update(id: number, body: RemoteSettingPatch, options?: VersionOptions): Call<{
    remote_setting: RemoteSetting
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Delete a remote setting.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 412, 422
   */
  delete(id: number, options?: VersionOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * List the versions of a remote setting, newest first.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 422
   */
  listVersions(id: number, query?: RemoteSettingsListVersionsQuery, options?: CallOptions): List<{
    versions: RemoteSettingVersion[]
    pagination: Pagination
  }, RemoteSettingVersion>
  /**
   * Restore the content of an old version, as a new version.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 412, 422
   */
  rollBack(id: number, body: SettingRollback, options?: PostOptions & VersionOptions): Call<{
    remote_setting: RemoteSetting
    /** The result of the action, for people. */
    message: string
  }>
}

/** All settings of an app. */
export interface AllRemoteSettings {
  /** The id of the app. Default: the default app. */
  app_id?: number
  /** The new settings. Settings that are not in the list are deleted. */
  settings: {
    /** The key by which programs read the setting, unique in the app. */
    key: string
    /** The type of the value. */
    type: 'boolean' | 'integer' | 'number' | 'string' | 'json'
    /** The value. It must have the type in `type`. */
    value: unknown
    /** The fallback value, of the same type. */
    default_value?: unknown
    /** The constraints of the value, in addition to its type. Default `{}`. */
    constraints?: SettingConstraints
    /** Programs cannot read an inactive setting. Default `"active"`. */
    status?: 'active' | 'inactive'
    /**
     * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
     * `session`: all sessions of a license. `public`: also public sessions. Default `"licensed"`.
     */
    access?: 'licensed' | 'session' | 'public'
    /** The minimum level of the license; 0 unless `access` is `licensed`. Default `0`. */
    min_level?: number
    /** A note for the seller. */
    description?: string | null
  }[]
}

/** A value that programs read from the server. */
export interface RemoteSetting {
  /** The setting id. */
  id: number
  /** Always `remote_setting`. */
  object: 'remote_setting'
  /** The app id. */
  app_id: number
  /** The key by which programs read the setting, unique in the app. */
  key: string
  /** The type of the value. */
  type: 'boolean' | 'integer' | 'number' | 'string' | 'json'
  /** The value. It must have the type in `type`. */
  value: unknown
  /** The fallback value, of the same type; null for none. */
  default_value: unknown
  /** The constraints of the value, in addition to its type. */
  constraints: SettingConstraints
  /** Programs cannot read an inactive setting. */
  status: 'active' | 'inactive'
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions.
   */
  access: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. */
  min_level: number
  /** A note for the seller. */
  description: string | null
  /** The version for `If-Match`. Every change increases it. */
  version: number
  /** The time when the setting was created. */
  created_at: string
  /** The time when the setting was last changed. */
  updated_at: string
}

/** A new setting. */
export interface RemoteSettingInput {
  /** The id of the app. Default: the default app. */
  app_id?: number
  /** The key by which programs read the setting, unique in the app. */
  key: string
  /** The type of the value. */
  type: 'boolean' | 'integer' | 'number' | 'string' | 'json'
  /** The value. It must have the type in `type`. */
  value: unknown
  /** The fallback value, of the same type. */
  default_value?: unknown
  /** The constraints of the value, in addition to its type. Default `{}`. */
  constraints?: SettingConstraints
  /** Programs cannot read an inactive setting. Default `"active"`. */
  status?: 'active' | 'inactive'
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions. Default `"licensed"`.
   */
  access?: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. Default `0`. */
  min_level?: number
  /** A note for the seller. */
  description?: string | null
}

/** Changes to a setting. */
export type RemoteSettingPatch = Partial<Pick<
  RemoteSetting,
  'key' | 'type' | 'value' | 'default_value' | 'constraints' | 'status' | 'access' | 'min_level' |
    'description'
>>

/** An old or current version of a setting. */
export interface RemoteSettingVersion {
  /** Always `remote_setting_version`. */
  object: 'remote_setting_version'
  /** The type of the value. */
  type: 'boolean' | 'integer' | 'number' | 'string' | 'json'
  /** The value. It must have the type in `type`. */
  value: unknown
  /** The fallback value, of the same type; null for none. */
  default_value: unknown
  /** The constraints of the value, in addition to its type. */
  constraints: SettingConstraints
  /** Programs cannot read an inactive setting. */
  status: 'active' | 'inactive'
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions.
   */
  access: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. */
  min_level: number
  /** A note for the seller. */
  description: string | null
  /** The version for `If-Match`. Every change increases it. */
  version: number
  /** The time when the setting was created. */
  created_at: string
  /** The API key that saved this version; null for a user. */
  actor_key_id: number | null
  /** The name of the user or the API key at that time; null if it is not known. */
  actor_name: string | null
}

export interface RemoteSettingsListQuery extends PageQuery {
  /** Only settings of this app. */
  app_id?: number
}

export type RemoteSettingsListVersionsQuery = PageQuery

/** The constraints of a value, in addition to its type. */
export interface SettingConstraints {
  /** The allowed values. Default: all values of the type. */
  enum?: unknown[]
  /** The minimum of an integer or a number. Default: none. */
  min?: number
  /** The maximum of an integer or a number. Default: none. */
  max?: number
  /**
   * The pattern of a string: an RE2 regular expression, which has no back references. Its number of
   * instructions times the length of the text is at most 1,000,000. Default: none.
   */
  pattern?: string
  /** The maximum length of a string, in characters. Default: none. */
  max_length?: number
  /** The schema of a JSON value: a subset of JSON Schema. Default: none. */
  schema?: unknown
}

/** The version to restore. */
export interface SettingRollback {
  /** The version to restore. */
  version: number
}
