import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Target } from '../network/address.rules.ts'
import type { Headers } from './request.rules.ts'

/**
 * Publishes a request on undici's diagnostics channels, from which OpenTelemetry and others make
 * spans. Subscribers to its creation may add headers (decision 74).
 */
export interface Trace {
  /** The headers, including those added by subscribers. */
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

/** Returns undefined if no one subscribes. */
export function traceRequest(target: Target, ownHeaders: Headers): Trace | undefined {
  if (!CREATED.hasSubscribers) return undefined
  const headers: Record<string, string> = { ...ownHeaders }
  const request = {
    method: 'POST',
    origin: target.origin,
    path: target.path,
    headers: Object.entries(ownHeaders).flat(),
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
