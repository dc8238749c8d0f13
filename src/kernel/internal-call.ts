/** A call that a handler makes through the server, on behalf of its caller. */
export interface InternalCall {
  method: string
  /** Begins with the prefix of its API, such as `/v1/orders`. */
  path: string
  body: string | undefined
}

export interface InternalAnswer {
  status: number
  text: string
  request_id: string
  duration_ms: number
}

export type SendInternalCall = (call: InternalCall) => Promise<InternalAnswer>
