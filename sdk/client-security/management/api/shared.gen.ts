// Written by `npm run sdk:types` from the endpoints of the Client Security API. Do not edit.

export interface PageQuery {
  /** Records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** Records to skip. Default `0`. */
  offset?: number
}

/** The position of this page in the whole list. */
export interface Pagination {
  /** Records that match, on all pages. */
  total: number
  /** The page size that was used. */
  limit: number
  /** How many records were skipped. */
  offset: number
  /** True if another page follows. */
  has_more: boolean
}
