import type { CallOptions, Json, Tradepost } from '../harness.ts'

/** The input of a call. */
export interface CallInput {
  /** Values of the path parameters. */
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: Json
}

/** Creates the records that a call needs, on the calling side, and returns the input of the call. */
export type Prepare = (tradepost: Tradepost, options: CallOptions) => Promise<CallInput>
