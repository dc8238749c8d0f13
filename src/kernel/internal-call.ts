/** A call that was made before, and that a handler repeats through the server on behalf of its caller. */
export interface LoggedTarget {
  api: 'store' | 'security'
  /** The id of the endpoint, such as `orders.create`. */
  operation: string
  /** The path with the prefix of its API, and the query. */
  path: string
}

export interface InternalAnswer {
  status: number
  text: string
  request_id: string
  duration_ms: number
}

/** Sends a call with a body of JSON, or without one. */
export type SendCall = (body: string | undefined) => Promise<InternalAnswer>

/**
 * Returns the function that sends a call again, in the store and with the rights of the caller. Undefined if the path
 * is none of the operation, so that nothing but the operation is repeated (decision 171).
 */
export type RepeatCall = (target: LoggedTarget) => SendCall | undefined
