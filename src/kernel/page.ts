/** Where a page begins and how long it is (domain choices, "Paging parameters"). */
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
