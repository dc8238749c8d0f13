import { type StoreContext, TradepostError } from '../../api/store.ts'

type Query = Record<string, string | number>

const REQUEST_ID = /^req_[0-9A-Za-z]{22}$/
const ORDER_ID = /ord_[0-9A-Za-z]{22}/

/**
 * Replaces the id of a request in a search with the id of the order that the request was about. The
 * request log keeps a request for 7 days.
 */
export async function replaceRequestId(
  { readDashboard }: StoreContext,
  query: Query,
): Promise<Query> {
  const { search } = query
  if (typeof search !== 'string' || !REQUEST_ID.test(search)) return query
  try {
    const { call } = await readDashboard<'request_log.get'>(`/request-log/${search}`)
    const texts = [call.path, call.response_body, call.request_body].map((part) =>
      JSON.stringify(part),
    )
    const orderId = texts.map((text) => ORDER_ID.exec(text)?.[0]).find((id) => id !== undefined)
    return orderId === undefined ? query : { ...query, search: orderId }
  } catch (error) {
    // The log no longer has the request, so the search finds nothing.
    if (error instanceof TradepostError && error.status === 404) return query
    throw error
  }
}
