// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { List } from '../../../client/list.ts'
import type { CallOptions, PostOptions } from '../../../client/transport.ts'
import type { ClientSession, Device, LicenseKey, ListedLicenseKey } from './license-keys-records.gen.ts'
import type { DeviceReset, ImportedLicenseKeys, LicenseBanInput, LicenseExtension, LicenseFileInput, LicenseKeyBatch, LicenseKeyPatch, LicenseKeysInput, LicenseKeysListDevicesQuery, LicenseKeysListQuery, LicenseKeysListSessionsQuery } from './license-keys-requests.gen.ts'

/** License keys of customers, and the policies for new license keys. */
export interface LicenseKeysApi {
  /**
   * List license keys without their texts, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: LicenseKeysListQuery, options?: CallOptions): List<{
    keys: ListedLicenseKey[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: number | null
  }, ListedLicenseKey>
  /**
   * Create up to 1,000 license keys. Either all are created or none.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 422
   */
  create(body?: LicenseKeysInput, options?: PostOptions): Call<{
    /** The new keys with their texts, in the order of the request. */
    keys: LicenseKey[]
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Import up to 1,000 license keys. Either all are imported or none.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 422
   */
  import(body: ImportedLicenseKeys, options?: PostOptions): Call<{
    /** The new keys with their texts, in the order of the request. */
    keys: LicenseKey[]
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Apply an action to up to 1,000 license keys. It applies to all of them or to none.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 422
   */
  batch(body: LicenseKeyBatch, options?: PostOptions): Call<{
    /** The number of keys. */
    count: number
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Get a license key with its text.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ key: LicenseKey }>
  /**
   * Update a license key. Fields you leave out keep their value. Null removes a value.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  update(id: number, body: LicenseKeyPatch, options?: CallOptions): Call<{
    key: ListedLicenseKey
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Delete a license key permanently. Its text is never used again.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 422
   */
  delete(id: number, options?: CallOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Ban a license key and end its sessions.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  ban(id: number, body: LicenseBanInput, options?: PostOptions): Call<{
    key: ListedLicenseKey
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Lift the ban of a license key.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  unban(id: number, options?: PostOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Extend a license.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  extend(id: number, body: LicenseExtension, options?: PostOptions): Call<{
    key: ListedLicenseKey
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Replace the text of a license key. The old text stops working immediately.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  rotate(id: number, options?: PostOptions): Call<{
    key: LicenseKey
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * List the devices of a license key, newest first.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 422
   */
  listDevices(id: number, query?: LicenseKeysListDevicesQuery, options?: CallOptions): List<{
    devices: Device[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: number | null
  }, Device>
  /**
   * Remove a device from a license key, so that another device can use the key.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @param deviceId The device id.
   * @throws {TradepostError} 404, 422
   */
  freeDevice(id: number, deviceId: number, options?: CallOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Remove all devices from a license key.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  resetDevices(id: number, body?: DeviceReset, options?: PostOptions): Call<{
    key: ListedLicenseKey
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * List the sessions of a license key, newest first.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 422
   */
  listSessions(id: number, query?: LicenseKeysListSessionsQuery, options?: CallOptions): List<{
    sessions: ClientSession[]
    /** The cursor of the next page; null on the last page. */
    next_cursor: number | null
  }, ClientSession>
  /**
   * End all sessions of a license key.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 422
   */
  endSessions(id: number, options?: CallOptions): Call<{
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Issue an offline license file for a device of a license key.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 422
   */
  issueFile(id: number, body: LicenseFileInput, options?: PostOptions): Call<{
    /** The file: three base64url parts, separated by dots. */
    license_file: string
    /** The time when the file expires. */
    expires_at: string
    /** The result of the action, for people. */
    message: string
  }>
}
