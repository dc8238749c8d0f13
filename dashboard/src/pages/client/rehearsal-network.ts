/** A request and its answer, as they were sent. */
export interface Exchange {
  method: string
  path: string
  /** Headers of the request that belong to the protocol. */
  headers: readonly (readonly [string, string])[]
  body: string | undefined
  status?: number
  /** The header `Service-Response-Signature`. */
  signature?: string | null
  /** Undefined if no answer was received. */
  answer?: string | undefined
}

/** The network of the rehearsal's program. It can be cut, and it can include a forger. */
export class ProgramNetwork {
  mode: 'open' | 'cut' | 'forged' = 'open'
  exchanges: Exchange[] = []

  fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input))
    const exchange: Exchange = {
      method: init?.method ?? 'GET',
      path: pathname + search,
      headers: Object.entries((init?.headers ?? {}) as Record<string, string>),
      body: typeof init?.body === 'string' ? indentedJson(init.body) : undefined,
    }
    this.exchanges.push(exchange)
    if (this.mode === 'cut') throw new TypeError('The network is cut.')
    // Cookies are left out, because a shipped program has none.
    const response = await fetch(input, { ...init, credentials: 'omit' })
    const answer = this.mode === 'forged' ? await forgedAnswer(response) : response
    exchange.status = answer.status
    exchange.signature = answer.headers.get('service-response-signature')
    exchange.answer = indentedJson(await answer.clone().text())
    return answer
  }
}

/** Returns the answer with a higher level, as a forger on the network would change it. */
async function forgedAnswer(response: Response): Promise<Response> {
  const { status, headers } = response
  const text = (await response.text()).replace(/"level":\d+/, '"level":1000')
  return new Response(text, { status, headers })
}

function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
