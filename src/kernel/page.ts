/** The offset and length of a page (decision 44). */
export interface Page {
  limit: number
  offset: number
}

export interface Pagination extends Page {
  total: number
  has_more: boolean
}

const COUNTED_MAX = 10_000

/**
 * The limit of a count over rows. It exceeds the end of the page, so that `has_more` is right
 * (decision 100).
 */
export const countedTo = ({ limit, offset }: Page): number =>
  Math.max(COUNTED_MAX, offset + limit + 1)

export const pagination = ({ limit, offset }: Page, total: number): Pagination => ({
  total,
  limit,
  offset,
  has_more: offset + limit < total,
})
