import { OPERATIONS as STORE_OPERATIONS } from '../../../sdk/client/api/operations.gen.ts'
import type { Tradepost } from '../../../sdk/client/index.ts'
import { type Operation, urlOf } from '../../../sdk/client/request.ts'
import { OPERATIONS as SECURITY_OPERATIONS } from '../../../sdk/client-security/management/api/operations.gen.ts'
import type { Management } from '../../../sdk/client-security/management/index.ts'
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

type Verb<Client, Area extends keyof Client> = keyof Client[Area]
type Arguments<
  Client,
  Area extends keyof Client,
  V extends Verb<Client, Area>,
> = Client[Area][V] extends (...args: infer Args) => unknown ? Args : never
type Methods = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>

/** A printed client: what its methods send, and how the dashboard and its readers call it. */
interface Printed {
  operations: Record<string, Record<string, Operation>>
  base: string
  /** The variable that holds the client in samples. */
  variable: string
  of: (store: StoreContext) => unknown
}

const STORE_API: Printed = {
  operations: STORE_OPERATIONS,
  base: '/v1',
  variable: 'tradepost',
  of: ({ api }) => api,
}
const SECURITY_API: Printed = {
  operations: SECURITY_OPERATIONS,
  base: '/security/v1',
  variable: 'management',
  of: ({ security }) => security,
}

function requestOf(
  { operations, base, variable, of }: Printed,
  area: string,
  verb: string,
  args: readonly unknown[],
): Request {
  const operation = operations[area]?.[verb] as Operation
  const ids = operation.path.match(/:\w+/g)?.length ?? 0
  const input = args[ids] as Record<string, unknown> | undefined
  const shown = args.slice(0, ids + 1).filter((value) => value !== undefined)
  return {
    area,
    method: operation.method,
    publicPath: urlOf(base, operation.path, args, operation.takes === 'query' ? (input ?? {}) : {}),
    client: `${variable}.${area}.${verb}(${shown.map((value) => JSON.stringify(value)).join(', ')})`,
    ...(operation.takes === 'body' && input !== undefined && { body: input }),
    send: (store) => (of(store) as Methods)[area]?.[verb]?.(...args) ?? Promise.resolve(),
  }
}

/** A request of the Store API, with the arguments of its method of the client. */
export const storeRequest = <Area extends keyof Tradepost, V extends Verb<Tradepost, Area>>(
  area: Area,
  verb: V,
  ...args: Arguments<Tradepost, Area, V>
): Request => requestOf(STORE_API, area, verb as string, args)

/** A request of the management half of the Client Security API, as `storeRequest`. */
export const securityRequest = <Area extends keyof Management, V extends Verb<Management, Area>>(
  area: Area,
  verb: V,
  ...args: Arguments<Management, Area, V>
): Request => requestOf(SECURITY_API, area, verb as string, args)

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
