import { OPERATIONS } from '../../../sdk/client/api/operations.gen.ts'
import type { Tradepost } from '../../../sdk/client/index.ts'
import { type Operation, urlOf } from '../../../sdk/client/request.ts'
import { API, type Method } from './call.ts'
import type { StoreContext } from './store.ts'

/** A request that an action makes, as data: it can be sent, and shown as an API call. */
export interface Request {
  /** The area whose shown records it changes, such as `orders`. */
  area: string
  method: Method
  /** The address for a caller outside of the dashboard, or undefined if only the dashboard has it. */
  publicPath?: string
  /** The same call through the client, such as `tradepost.orders.refund('…', {…})`. */
  client?: string
  body?: unknown
  /** The fields of an upload, as curl names them, such as `file=@cover.png`. */
  form?: readonly string[]
  send(store: StoreContext): PromiseLike<unknown>
}

type Verb<Area extends keyof Tradepost> = keyof Tradepost[Area]
type Arguments<Area extends keyof Tradepost, V extends Verb<Area>> = Tradepost[Area][V] extends (
  ...args: infer Args
) => unknown
  ? Args
  : never

/** A request of the Store API, with the arguments of its method of the client. */
export function storeRequest<Area extends keyof Tradepost, V extends Verb<Area>>(
  area: Area,
  verb: V,
  ...args: Arguments<Area, V>
): Request {
  const areas = OPERATIONS as unknown as Record<string, Record<string, Operation>>
  const operation = areas[area]?.[verb as string] as Operation
  const ids = operation.path.match(/:\w+/g)?.length ?? 0
  const input = args[ids] as Record<string, unknown> | undefined
  const shown = args.slice(0, ids + 1).filter((value) => value !== undefined)
  return {
    area,
    method: operation.method,
    publicPath: urlOf(
      '/v1',
      operation.path,
      args,
      operation.takes === 'query' ? (input ?? {}) : {},
    ),
    client: `tradepost.${area}.${String(verb)}(${shown.map((value) => JSON.stringify(value)).join(', ')})`,
    ...(operation.takes === 'body' && input !== undefined && { body: input }),
    send({ api }) {
      const methods = api[area] as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >
      return (methods[verb as string] as (...args: unknown[]) => Promise<unknown>)(...args)
    },
  }
}

/** A request to an endpoint that only the dashboard has. */
export const ownRequest = (
  area: string,
  method: Method,
  path: string,
  body?: unknown,
): Request => ({
  area,
  method,
  ...(body !== undefined && { body }),
  send: (store) => store.own(method, path, { body }),
})

/** A request of the Client Security API's management side. */
export const securityRequest = (
  area: string,
  method: Method,
  path: string,
  body?: unknown,
): Request => ({
  area,
  method,
  publicPath: `/security/v1${path}`,
  ...(body !== undefined && { body }),
  send: (store) => store.security(method, path, { body }),
})

/** The call in curl, for the reader's own key. */
export function curlOf(
  { method, publicPath, body, form = [] }: Request,
  store: StoreContext,
): string {
  const origin = location.origin + API.replace('/dashboard/api', '')
  const authentication = publicPath?.startsWith('/security')
    ? ['-H "Authorization: Bearer $TRADEPOST_SECURITY_KEY"']
    : ['-H "x-api-key: $TRADEPOST_API_KEY"', `-H "x-store-hash: ${store.id}"`]
  const lines = [
    `curl -X ${method} '${origin}${publicPath ?? ''}'`,
    ...authentication,
    ...(method === 'POST' ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...form.map((field) => `-F '${field}'`),
    ...(body === undefined
      ? []
      : [
          "-H 'content-type: application/json'",
          `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
        ]),
  ]
  return lines.join(' \\\n  ')
}
