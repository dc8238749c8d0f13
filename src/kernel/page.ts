/** The offset and length of a page (decision 44). */
export interface Page {
  limit: number
  offset: number
}

const COUNTED_MAX = 10_000

/** Returns the limit of a count. It exceeds the end of the page, so that `has_more` is exact (decision 100). */
export const countLimit = ({ limit, offset }: Page): number =>
  Math.max(COUNTED_MAX, offset + limit + 1)

export const pagination = ({ limit, offset }: Page, total: number) => ({
  total,
  limit,
  offset,
  has_more: offset + limit < total,
})
