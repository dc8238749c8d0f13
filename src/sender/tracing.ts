import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Target } from '../network/address.rules.ts'
import type { Headers } from './request.rules.ts'

/**
 * A request as undici tells of its own, on the same channels: OpenTelemetry and others make spans of
 * that. Who hears that it was made may add headers (decision 74).
 */
export interface Trace {
  /** With what was added. */
  readonly headers: Headers
  sent(socket: Socket): void
  answered(status: number): void
  ended(failure: Error | undefined): void
}

const CREATED = channel('undici:request:create')
const SENT = channel('undici:client:sendHeaders')
const ANSWERED = channel('undici:request:headers')
const READ = channel('undici:request:trailers')
const FAILED = channel('undici:request:error')

/** Nothing where nobody listens. */
export function traceRequest(target: Target, given: Headers): Trace | undefined {
  if (!CREATED.hasSubscribers) return undefined
  const headers: Record<string, string> = { ...given }
  const request = {
    method: 'POST',
    origin: target.origin,
    path: target.path,
    headers: Object.entries(given).flat(),
    addHeader(name: string, value: string) {
      headers[name] = value
    },
  }
  CREATED.publish({ request })
  return {
    headers,
    sent: (socket) => SENT.publish({ request, headers: '', socket }),
    answered: (statusCode) =>
      ANSWERED.publish({ request, response: { statusCode, statusText: '', headers: [] } }),
    ended(error) {
      if (error) FAILED.publish({ request, error })
      else READ.publish({ request, trailers: [] })
    },
  }
}
