// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.

export interface PageQuery {
  /** The number of records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** The number of records to skip. Default `0`. */
  offset?: number
}

/** The position of this page in the whole list. */
export interface Pagination {
  /** The number of matching records on all pages. */
  total: number
  /** The number of records on a page. */
  limit: number
  /** The number of skipped records. */
  offset: number
  /** True if another page follows. */
  has_more: boolean
}
