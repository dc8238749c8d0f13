/** A request and its answer, as they were on the wire. */
export interface Exchange {
  method: string
  path: string
  /** Headers of the request that belong to the protocol. */
  headers: readonly (readonly [string, string])[]
  body: string | undefined
  status?: number
  /** The header `Service-Response-Signature`. */
  signature?: string | null
  /** Undefined if no answer came. */
  answer?: string | undefined
}

/** The network of the played program: it can be cut, and a forger can stand in it. */
export class ProgramNetwork {
  mode: 'open' | 'cut' | 'forged' = 'open'
  exchanges: Exchange[] = []

  fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input))
    const exchange: Exchange = {
      method: init?.method ?? 'GET',
      path: pathname + search,
      headers: Object.entries((init?.headers ?? {}) as Record<string, string>),
      body: typeof init?.body === 'string' ? pretty(init.body) : undefined,
    }
    this.exchanges.push(exchange)
    if (this.mode === 'cut') throw new TypeError('The network is cut.')
    // A shipped program has no cookies.
    const response = await fetch(input, { ...init, credentials: 'omit' })
    const answer = this.mode === 'forged' ? await forge(response) : response
    exchange.status = answer.status
    exchange.signature = answer.headers.get('service-response-signature')
    exchange.answer = pretty(await answer.clone().text())
    return answer
  }
}

/** Changes the answer on its way, as a forger who wants a higher level would. */
async function forge(response: Response): Promise<Response> {
  const { status, headers } = response
  const text = (await response.text()).replace(/"level":\d+/, '"level":1000')
  return new Response(text, { status, headers })
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
