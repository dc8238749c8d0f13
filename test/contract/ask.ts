import type { CallOptions, Json, Tradepost } from '../harness.ts'

/** What to ask an endpoint for. */
export interface Ask {
  /** Values of the path's parameters. */
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: Json
}

/** Makes the records that a call needs, on the side that calls, and says what to ask for. */
export type Prepare = (tradepost: Tradepost, options: CallOptions) => Promise<Ask>
