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
    })
    return responseOf(answer)
  },
}

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
  getRawResponse: () => ({}),
  toStream: () => {
    throw new Error('Answers of Stripe are not streamed.')
  },
  async toJSON() {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) throw new Error('The answer is no object.')
    return value
  },
})
