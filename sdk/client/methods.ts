import { LazyCall, type RawAnswer } from './call.ts'
import { Listing } from './list.ts'
import { contentOf, type Input, type Operation, urlOf } from './request.ts'
import { type AllOptions, type AttemptReport, type Line, transport } from './transport.ts'

/** Operations by area and method. */
type Operations = Record<string, Record<string, Operation>>

/** The options that the clients of all APIs have in common. */
export interface CommonOptions {
  /** Timeout of each attempt, to the end of the answer, in milliseconds. Default 30000. */
  timeout_ms?: number | undefined
  /** Maximum number of repeats of a call that is safe to repeat. Default 4. */
  retries?: number | undefined
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch | undefined
  /** Is called after each attempt, for logs and measurements. Errors that it throws are ignored. */
  debug?: ((attempt: AttemptReport) => void) | undefined
}

const TIMEOUT_MS = 30_000
const RETRIES = 4

/** The connection of a client. `headers` authenticate its calls. */
export function lineOf(url: string, headers: Record<string, string>, options: CommonOptions): Line {
  const { timeout_ms = TIMEOUT_MS, retries = RETRIES, debug } = options
  return {
    url: url.replace(/\/$/, ''),
    headers,
    timeout_ms,
    retries,
    debug,
    // Reads the global at each call, so that a later replacement of it is used.
    fetch: options.fetch ?? ((...args) => fetch(...args)),
  }
}

/** Throws a TypeError if an option is missing, for example because an environment variable is not set. */
export function requireTexts(texts: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value !== 'string' || value === '') throw new TypeError(`"${name}" is missing.`)
  }
}

/** The methods of a client by area: each takes ids, then a body or a query, then options. */
export function methodsOf(line: Line, operations: Operations): unknown {
  const areas = Object.entries(operations).map(([area, own]) => {
    const methods = Object.entries(own).map(([name, operation]) => [
      name,
      methodOf(line, `${area}.${name}`, operation),
    ])
    return [area, Object.fromEntries(methods)]
  })
  return Object.fromEntries(areas)
}

function methodOf(line: Line, name: string, operation: Operation) {
  const { path, takes, list } = operation
  const ids = path.match(/:\w+/g)?.length ?? 0
  return (...args: unknown[]) => {
    const input = takes && (args[ids] as Input | undefined)
    const options = (args[takes ? ids + 1 : ids] ?? {}) as AllOptions
    const send = async (query: Input): Promise<RawAnswer<unknown>> => {
      const url = urlOf(line.url, path, args, query)
      const content = takes === 'body' ? contentOf(input) : undefined
      return transport(line, { name, operation, url, content }, options)
    }
    const query = takes === 'query' ? (input ?? {}) : {}
    if (list !== undefined) {
      return new Listing((page) => send(page) as Promise<RawAnswer<Input>>, list, query)
    }
    const sent = send(query)
    return operation.raw ? sent.then(({ data }) => data) : new LazyCall(() => sent)
  }
}
