// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.
import type { Call } from '../../../client/call.ts'
import type { List } from '../../../client/list.ts'
import type { CallOptions, PostOptions, VersionOptions } from '../../../client/transport.ts'
import type { PageQuery, Pagination } from './shared.gen.ts'

/** Files that only a program with a session can download. */
export interface ServersideFilesApi {
  /**
   * List server-side files, newest first.
   *
   * Needs the permission `client_security:read`.
   * @throws {TradepostError} 422
   */
  list(query?: ServersideFilesListQuery, options?: CallOptions): List<{
    serverside_files: ServersideFile[]
    pagination: Pagination
  }, ServersideFile>
  /**
   * Upload a server-side file, as a form or as bare bytes with the fields in the query.
   *
   * Needs the permission `client_security:write`.
   * @throws {TradepostError} 404, 409, 422
   */
  create(body: ServersideFilesCreateBody, options?: PostOptions): Call<{
    serverside_file: ServersideFile
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Get the metadata of a server-side file.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404
   */
  get(id: number, options?: CallOptions): Call<{ serverside_file: ServersideFile }>
  /**
   * Update the metadata of a server-side file. Fields you leave out keep their value.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 412, 422
   */
  update(id: number, body: ServersideFilePatch, options?: VersionOptions): Call<{
    serverside_file: ServersideFile
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Replace the bytes of a server-side file, as its next version.
   *
   * Needs the permission `client_security:write`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 409, 412, 422
   */
  replaceContent(id: number, body: ServersideFilesReplaceContentBody, options?: VersionOptions): Call<{
    serverside_file: ServersideFile
    /** The result of the action, for people. */
    message: string
  }>
  /**
   * Delete a server-side file and its bytes permanently.
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
   * Get the bytes of a file, or a part of them.
   *
   * Needs the permission `client_security:read`.
   * @param id The id of the record.
   * @throws {TradepostError} 404, 416
   */
  download(id: number, options?: CallOptions): Promise<Response>
}

/** A file that programs fetch from the server. */
export interface ServersideFile {
  /** The file id. */
  id: number
  /** Always `serverside_file`. */
  object: 'serverside_file'
  /** The app id. */
  app_id: number
  /** The name by which programs fetch the file, unique in the app. */
  name: string
  /** The name under which programs save the file. */
  filename: string
  /** The content type with which the file is served. */
  content_type: string
  /** Programs cannot fetch an inactive file. */
  status: 'active' | 'inactive'
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions.
   */
  access: 'licensed' | 'session' | 'public'
  /** The minimum level of the license; 0 unless `access` is `licensed`. */
  min_level: number
  /** The state of the bytes in storage. */
  upload_state: 'uploading' | 'ready' | 'failed' | 'deleting'
  /** The size in bytes. */
  size_bytes: number
  /** The SHA-256 of the bytes, in hex. */
  sha256: string
  /** The storage of the bytes. */
  storage: 'local' | 's3'
  /** The version for `If-Match`. Every change increases it. */
  version: number
  /** The number of downloads by programs. */
  download_count: number
  /** The time at which a program last downloaded the file. */
  last_downloaded_at: string | null
  /** The time at which the file was created. */
  created_at: string
  /** The time of the last change of the file. */
  updated_at: string
}

/** Changes to the metadata of a file. */
export type ServersideFilePatch = Partial<Pick<
  ServersideFile,
  'name' | 'filename' | 'content_type' | 'status' | 'access' | 'min_level'
>>

export interface ServersideFilesCreateBody {
  /** The file. */
  file: Blob
  /** The id of the app. Default: the default app of the store. */
  app_id?: number
  /** The name by which programs fetch the file, unique in the app. */
  name: string
  /** The name under which programs save the file. Default: the name of the upload. */
  filename?: string
  /**
   * The content type with which the file is served. Default: the type that the upload names,
   * otherwise `application/octet-stream`.
   */
  content_type?: string
  /** Programs cannot fetch an inactive file. Default `"active"`. */
  status?: 'active' | 'inactive'
  /**
   * The sessions that may read the record. `licensed`: sessions whose license has `min_level`.
   * `session`: all sessions of a license. `public`: also public sessions. Default `"licensed"`.
   */
  access?: 'licensed' | 'session' | 'public'
  /** The minimum level of the license. Default `"0"`. */
  min_level?: string
}

export interface ServersideFilesListQuery extends PageQuery {
  /** Only files of this app. */
  app_id?: number
}

export interface ServersideFilesReplaceContentBody {
  /** The file. */
  file: Blob
  /** The name under which programs save the file. Default: the stored name is kept. */
  filename?: string
  /**
   * The content type with which the file is served. Default: the type that the upload names,
   * otherwise `application/octet-stream`.
   */
  content_type?: string
}
