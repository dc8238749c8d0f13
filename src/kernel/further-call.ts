/** A call that a caller makes in addition to its own. */
export interface FurtherCall {
  method: string
  /** Begins with the prefix of its API, such as `/v1/orders`. */
  path: string
  body: string | undefined
}

export interface FurtherAnswer {
  status: number
  text: string
  request_id: string
  duration_ms: number
}

export type SendFurther = (call: FurtherCall) => Promise<FurtherAnswer>
