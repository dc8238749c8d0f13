// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
import type { BackupRecord, FileRollback, FileVersion, ListedClientSession, ListedLicenseKey, OpenDispute, Pagination, RecordReader, SavedView, ServersideFile, StringVersion, SystemInfo, TestMail, WaitingCounts } from './records.gen.ts'

/** Endpoints of a store for its client programs, its lists and its settings. */
export interface StoreOperations {
  /** List the payments with an open dispute, those that must be answered first in front. */
  'orders.list_disputes': {
    method: 'GET'
    path: '/stores/{store_hash}/disputes'
    params?: undefined
    query?: {
      /** The number of records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** The number of records to skip. Default `0`. */
      offset?: number
    }
    body?: undefined
    answer: {
      /** A page of disputes. */
      disputes: OpenDispute[]
      pagination: Pagination
    }
  }
  /** List the client sessions of the store, latest lease first. */
  'client_sessions.list': {
    method: 'GET'
    path: '/stores/{store_hash}/client-sessions'
    params?: undefined
    query?: {
      /** The number of records on a page, 1 to 100. Default `25`. */
      limit?: number
      /** `next_cursor` of the page before. */
      cursor?: string
      /**
       * Only live sessions, or only ended ones. A session has ended if it was ended or its lease
       * expired.
       */
      state?: 'live' | 'ended'
      /** Only sessions of this app. */
      app_id?: number
      /** Only sessions of this license key. */
      key_id?: number
      /** Only sessions of this device. */
      device_id?: number
    }
    body?: undefined
    answer: {
      /** A page of sessions. */
      sessions: ListedClientSession[]
      /** The next page; null at the end. */
      next_cursor: string | null
    }
  }
  /** Get a license key without its text. */
  'license_keys.get_masked': {
    method: 'GET'
    path: '/stores/{store_hash}/license-keys/{id}'
    params: {
      /** The id of the record. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: { key: ListedLicenseKey }
  }
  /** List the license keys that read a string, a file or the settings of an app. */
  'record_readers.list': {
    method: 'GET'
    path: '/stores/{store_hash}/record-readers'
    params?: undefined
    query?: {
      /** The kind of the record. `settings` are all settings of an app. */
      kind: 'string' | 'file' | 'settings'
      /** The id of the string or the file; of the app for settings. */
      record_id: number
    }
    body?: undefined
    answer: {
      /** The readers, latest read first. */
      readers: RecordReader[]
    }
  }
  /** List the current version of a string and up to 50 former ones, newest first. */
  'string_versions.list': {
    method: 'GET'
    path: '/stores/{store_hash}/strings/{id}/versions'
    params: {
      /** The id of the record. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The versions, newest first. */
      versions: StringVersion[]
    }
  }
  /** List the current content of a file and up to 5 former ones, newest first. */
  'file_versions.list': {
    method: 'GET'
    path: '/stores/{store_hash}/files/{id}/versions'
    params: {
      /** The id of the record. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The contents, newest first. */
      versions: FileVersion[]
      /** The maximum number of former contents. */
      former_max: number
      /** The bytes in storage that only former contents use. */
      former_bytes: number
    }
  }
  /** Restore a former content of a file, as a new version. */
  'file_versions.roll_back': {
    method: 'POST'
    path: '/stores/{store_hash}/files/{id}/rollback'
    params: {
      /** The id of the record. */
      id: number
    }
    query?: undefined
    body: FileRollback
    answer: { serverside_file: ServersideFile }
  }
  /** Count the records that need action by the team. */
  'counts.get': {
    method: 'GET'
    path: '/stores/{store_hash}/counts'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      counts: WaitingCounts
      /** The time of the store's clock. The clock of a test side can be moved. */
      store_time: string
    }
  }
  /** List your saved views in this store. */
  'saved_views.list': {
    method: 'GET'
    path: '/stores/{store_hash}/saved-views'
    params?: undefined
    query?: {
      /** Only views of this page. */
      page?: string
    }
    body?: undefined
    answer: {
      /** All saved views, at most 50, the oldest first. */
      saved_views: SavedView[]
    }
  }
  /** Save the filters of a list under a name. */
  'saved_views.create': {
    method: 'POST'
    path: '/stores/{store_hash}/saved-views'
    params?: undefined
    query?: undefined
    body: {
      /** The page of the dashboard with the list, such as `orders`. */
      page: string
      /** The name of the view. */
      name: string
      /** The filters as the query of a URL, such as `status=paid`. */
      query: string
    }
    answer: { saved_view: SavedView }
  }
  /** Rename a saved view, or change its filters. */
  'saved_views.update': {
    method: 'PATCH'
    path: '/stores/{store_hash}/saved-views/{id}'
    params: {
      /** The id of the saved view. */
      id: number
    }
    query?: undefined
    body: {
      /** The name of the view. */
      name?: string
      /** The filters as the query of a URL, such as `status=paid`. */
      query?: string
    }
    answer: { saved_view: SavedView }
  }
  /** Delete a saved view. */
  'saved_views.delete': {
    method: 'DELETE'
    path: '/stores/{store_hash}/saved-views/{id}'
    params: {
      /** The id of the saved view. */
      id: number
    }
    query?: undefined
    body?: undefined
    answer: {
      /** The id of the saved view. */
      id: number
      /** Always true. */
      deleted: boolean
    }
  }
  /** Get the newest backup that `tradepost backup` wrote. */
  'backups.get_newest': {
    method: 'GET'
    path: '/stores/{store_hash}/newest-backup'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: {
      /** The newest backup; null if none was recorded. */
      backup: BackupRecord | null
    }
  }
  /** Get the versions of this installation, and the state of each part. */
  'system.get': {
    method: 'GET'
    path: '/stores/{store_hash}/system'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: { system: SystemInfo }
  }
  /** Send a test mail to yourself, and wait for the answer of the mail server. */
  'test_mail.send': {
    method: 'POST'
    path: '/stores/{store_hash}/test-mail'
    params?: undefined
    query?: undefined
    body?: undefined
    answer: { mail: TestMail }
  }
}
