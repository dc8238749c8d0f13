/** A page of a list. */
export interface ListAnswer<Row> {
  rows: readonly Row[]
  total?: number
  has_more?: boolean
  next_cursor?: string | number | null
}
