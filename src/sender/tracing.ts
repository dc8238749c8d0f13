import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { Target } from '../network/address.rules.ts'
import type { Headers } from './request.rules.ts'

/**
 * Publishes a request on undici's diagnostics channels, from which OpenTelemetry and others create spans.
 * Subscribers may add headers when the request is created.
 */
export interface Trace {
  /** The headers, including those added by subscribers. */
  readonly headers: Headers
  onSent(socket: Socket): void
  onAnswer(status: number): void
  onEnd(failure: Error | undefined): void
}

const CREATE_CHANNEL = channel('undici:request:create')
const SEND_HEADERS_CHANNEL = channel('undici:client:sendHeaders')
const HEADERS_CHANNEL = channel('undici:request:headers')
const TRAILERS_CHANNEL = channel('undici:request:trailers')
const ERROR_CHANNEL = channel('undici:request:error')

/** Returns undefined if no one subscribes. */
export function traceRequest(target: Target, requestHeaders: Headers): Trace | undefined {
  if (!CREATE_CHANNEL.hasSubscribers) return undefined
  const headers: Record<string, string> = { ...requestHeaders }
  const request = {
    method: 'POST',
    origin: target.origin,
    path: target.path,
    headers: Object.entries(requestHeaders).flat(),
    addHeader(name: string, value: string) {
      headers[name] = value
    },
  }
  CREATE_CHANNEL.publish({ request })
  return {
    headers,
    onSent: (socket) => SEND_HEADERS_CHANNEL.publish({ request, headers: '', socket }),
    onAnswer: (statusCode) =>
      HEADERS_CHANNEL.publish({ request, response: { statusCode, statusText: '', headers: [] } }),
    onEnd(error) {
      if (error) ERROR_CHANNEL.publish({ request, error })
      else TRAILERS_CHANNEL.publish({ request, trailers: [] })
    },
  }
}
