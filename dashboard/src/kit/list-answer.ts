import type { StoreContext } from '../api/store.ts'

/** A page of a list. */
export interface ListAnswer<Row> {
  rows: readonly Row[]
  total?: number
  has_more?: boolean
  next_cursor?: string | number | null
}

/** Reads the records of a list that match a query. */
export type ReadRows<Row> = (
  store: StoreContext,
  query: Record<string, string | number>,
) => PromiseLike<ListAnswer<Row>>
