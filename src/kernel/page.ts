/** Where a page begins and how long it is (decision 44). */
export interface Page {
  limit: number
  offset: number
}

export interface Pagination extends Page {
  total: number
  has_more: boolean
}

export const pagination = ({ limit, offset }: Page, total: number): Pagination => ({
  total,
  limit,
  offset,
  has_more: offset + limit < total,
})
