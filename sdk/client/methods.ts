import { LazyCall, type RawAnswer } from './call.ts'
import { Listing } from './list.ts'
import { contentOf, type Input, type Operation, urlOf } from './request.ts'
import { type AllOptions, type AttemptReport, type Connection, sendCall } from './transport.ts'

/** Operations by area and method. */
type Operations = Record<string, Record<string, Operation>>

/** The options that the clients of all APIs have in common. */
export interface CommonOptions {
  /** The timeout of each attempt, to the end of the answer, in milliseconds. Default 30000. */
  timeout_ms?: number | undefined
  /** The maximum number of repeats of a call that is safe to repeat. Default 4. */
  retries?: number | undefined
  /** Replaces the global `fetch`, for example to use a proxy. */
  fetch?: typeof fetch | undefined
  /** A function that is called after each attempt, for logs and measurements. Its errors are ignored. */
  debug?: ((attempt: AttemptReport) => void) | undefined
}

const TIMEOUT_MS = 30_000
const RETRIES = 4

/** Returns the connection of a client. `headers` authenticate its calls. */
export function connectionOf(
  url: string,
  headers: Record<string, string>,
  options: CommonOptions,
): Connection {
  const { timeout_ms = TIMEOUT_MS, retries = RETRIES, debug } = options
  return {
    url: url.replace(/\/$/, ''),
    headers,
    timeout_ms,
    retries,
    debug,
    // Reads the global `fetch` at each call, so that a later replacement is used.
    fetch: options.fetch ?? ((...args) => fetch(...args)),
  }
}

/** Throws a TypeError if an option is missing, for example because an environment variable is not set. */
export function requireTexts<T extends object, K extends keyof T & string>(
  options: T,
  ...names: K[]
): Omit<T, K> & Record<K, string> {
  for (const name of names) {
    const value = options[name]
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`"${name}" is missing. Check that the environment variable is set.`)
  }
  return options as Omit<T, K> & Record<K, string>
}

/** Builds the methods of a client by area. Each method takes ids, then a body or a query, then options. */
export function methodsOf(connection: Connection, operations: Operations): unknown {
  const areas = Object.entries(operations).map(([area, areaOperations]) => {
    const methods = Object.entries(areaOperations).map(([name, operation]) => [
      name,
      methodOf(connection, `${area}.${name}`, operation),
    ])
    return [area, Object.fromEntries(methods)]
  })
  return Object.fromEntries(areas)
}

function methodOf(connection: Connection, name: string, operation: Operation) {
  const { path, takes, list } = operation
  const idCount = path.match(/:\w+/g)?.length ?? 0
  return (...args: unknown[]) => {
    const input = takes && (args[idCount] as Input | undefined)
    const options = (args[takes ? idCount + 1 : idCount] ?? {}) as AllOptions
    const send = async (query: Input): Promise<RawAnswer<unknown>> => {
      const url = urlOf(connection.url, path, args, query)
      const content = takes === 'body' ? contentOf(input) : undefined
      return sendCall(connection, { name, operation, url, content }, options)
    }
    const query = takes === 'query' ? (input ?? {}) : {}
    if (list !== undefined) {
      return new Listing((page) => send(page) as Promise<RawAnswer<Input>>, list, query)
    }
    const answer = send(query)
    return operation.raw ? answer.then(({ data }) => data) : new LazyCall(() => answer)
  }
}
