import type Stripe from 'stripe'
import { callServer, type ServerAnswer, type ServerCall } from '../../../../network/call-server.ts'

type Client = NonNullable<Stripe.StripeConfig['httpClient']>
type Response = Awaited<ReturnType<Client['makeRequest']>>

/** The headers of an answer that the package may see. Others, such as notices, would only print warnings. */
const HEADERS = ['request-id', 'stripe-should-retry', 'idempotency-key', 'stripe-version']

/** Sends the requests of the package `stripe`, with the limits of all calls to providers. */
export const stripeHttpClient: Client = {
  getClientName: () => 'tradepost',

  async makeRequest(...[host, port, path, method, headers, body, protocol]) {
    const answer = await callServer(`${protocol}://${host}:${port}${path}`, {
      method: method as ServerCall['method'],
      headers: textsOf(headers),
      body: method === 'GET' ? null : body,
    }).catch((error: Error) => {
      throw 'code' in error && error.code === 'UND_ERR_SOCKET' ? brokenConnection(error) : error
    })
    return responseOf(answer)
  },
}

/**
 * Returns an error for which the package sends a request again, once. All requests have the same effect if repeated, and
 * a server may close a kept connection when the next request is sent.
 */
const brokenConnection = ({ message }: Error): Error =>
  Object.assign(new Error(message), { code: 'ECONNRESET' })

const textsOf = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  )

const responseOf = ({ status, headers, text }: ServerAnswer): Response => ({
  getStatusCode: () => status,
  getHeaders: () =>
    Object.fromEntries(HEADERS.map((name) => [name, String(headers[name] ?? '')])) as never,
  // The package shows the raw response of an answer as its `lastResponse`.
  getRawResponse: () => ({ headers: { date: headers.date } }),
  toStream: () => {
    throw new Error('Answers of Stripe are not streamed.')
  },
  async toJSON() {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) throw new Error('The answer is no object.')
    return value
  },
})
