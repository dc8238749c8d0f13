import { OPERATIONS as STORE_OPERATIONS } from '../../../sdk/client/api/operations.gen.ts'
import { TradepostError } from '../../../sdk/client/errors.ts'
import type { Tradepost } from '../../../sdk/client/index.ts'
import { type Operation, urlOf } from '../../../sdk/client/request.ts'
import { OPERATIONS as SECURITY_OPERATIONS } from '../../../sdk/client-security/management/api/operations.gen.ts'
import type { Management } from '../../../sdk/client-security/management/index.ts'
import { API, call, type Method } from './call.ts'
import { changeName } from './change-name.ts'
import { connection, countAnsweredChanges, untilAnswered } from './connection.ts'
import type { StoreContext } from './store.ts'

/** The request of an action, as data. It can be sent, or shown as an API call. */
export interface Request {
  /** The area whose records the request changes, such as `orders`. The page refreshes them. */
  area: string
  /** Another area whose records show a part of the changed record. */
  otherArea?: string
  method: Method
  /**
   * The path for callers outside the dashboard; undefined if only the dashboard can make the call.
   */
  publicPath?: string
  /** The id of the first record in the path, which is the record's id in the audit trail. */
  recordId?: string
  /** The same call through the client, such as `tradepost.orders.refund('…', {…})`. */
  client?: string
  /** The command that does the same, without `tradepost` and the store, such as `clock advance 3d`. */
  command?: string
  /** True if the command finds its record without the option `--store`. */
  hasStorelessCommand?: true
  body?: unknown
  /** The fields of an upload, as curl names them, such as `file=@cover.png`. */
  form?: readonly string[]
  send(store: StoreContext): PromiseLike<unknown>
  /** The title of the form that sends it. */
  title?: string
  /** Called once after the request was answered, refused or cancelled. */
  onEnd?: () => void
  /** True if the request belongs to a user and no store. It has no idempotency key, so it cannot wait. */
  isUserRequest?: true
}

/** The same request. If it succeeds, a record of another area is read again, such as the signed-in user. */
export const refreshAfter = (request: Request, refresh: () => void): Request => ({
  ...request,
  send: async (store) => {
    const answer = await request.send(store)
    refresh()
    return answer
  },
})

/**
 * Sends a request. Some requests read a record before they change it. If that read has no answer, the
 * request waits like the change itself. A request whose change was answered is never repeated.
 */
export async function sendRequest(request: Request, store: StoreContext): Promise<unknown> {
  try {
    return await (request.isUserRequest ? request.send(store) : sendWhenOnline(request, store))
  } finally {
    request.onEnd?.()
  }
}

function sendWhenOnline(request: Request, store: StoreContext): Promise<unknown> {
  const name = changeName(request.title)
  const namedStore = store.forChange(name)
  let countBefore = 0
  const isLost = (error: unknown) =>
    error instanceof TradepostError &&
    error.status === 0 &&
    !connection.get().isOnline &&
    countAnsweredChanges() === countBefore
  return untilAnswered(
    name,
    () => {
      countBefore = countAnsweredChanges()
      return request.send(namedStore)
    },
    isLost,
  )
}

type Verb<Client, Area extends keyof Client> = keyof Client[Area]
type Arguments<
  Client,
  Area extends keyof Client,
  V extends Verb<Client, Area>,
> = Client[Area][V] extends (...args: infer Args) => unknown ? Args : never
type Methods = Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>

/** A generated client: the requests of its methods, and its names in the dashboard and in samples. */
interface GeneratedClient {
  operations: Record<string, Record<string, Operation>>
  base: string
  /** The variable that holds the client in samples. */
  variable: string
  clientOf: (store: StoreContext) => unknown
}

const STORE_API: GeneratedClient = {
  operations: STORE_OPERATIONS,
  base: '/v1',
  variable: 'tradepost',
  clientOf: ({ api }) => api,
}
const SECURITY_API: GeneratedClient = {
  operations: SECURITY_OPERATIONS,
  base: '/security/v1',
  variable: 'management',
  clientOf: ({ security }) => security,
}

function requestOf(
  { operations, base, variable, clientOf }: GeneratedClient,
  area: string,
  verb: string,
  args: readonly unknown[],
): Request {
  const operation = operations[area]?.[verb] as Operation
  const idCount = operation.path.match(/:\w+/g)?.length ?? 0
  const input = args[idCount] as Record<string, unknown> | undefined
  const shownArgs = args.slice(0, idCount + 1).filter((value) => value !== undefined)
  return {
    area,
    method: operation.method,
    publicPath: urlOf(base, operation.path, args, operation.takes === 'query' ? (input ?? {}) : {}),
    ...(idCount > 0 && { recordId: String(args[0]) }),
    client: `${variable}.${area}.${verb}(${shownArgs.map((value) => JSON.stringify(value)).join(', ')})`,
    ...(operation.takes === 'body' && input !== undefined && { body: input }),
    send: (store) => (clientOf(store) as Methods)[area]?.[verb]?.(...args) ?? Promise.resolve(),
  }
}

/** A request of the Store API, given as a method of its client and the arguments. */
export const storeRequest = <Area extends keyof Tradepost, V extends Verb<Tradepost, Area>>(
  area: Area,
  verb: V,
  ...args: Arguments<Tradepost, Area, V>
): Request => requestOf(STORE_API, area, verb as string, args)

/** Like `storeRequest`, for the management half of the Client Security API. */
export const securityRequest = <Area extends keyof Management, V extends Verb<Management, Area>>(
  area: Area,
  verb: V,
  ...args: Arguments<Management, Area, V>
): Request => requestOf(SECURITY_API, area, verb as string, args)

/** A request to an endpoint that only the dashboard has. */
export const dashboardRequest = (
  area: string,
  method: Method,
  path: string,
  body?: unknown,
): Request => {
  const recordId = path.split('/').find((segment) => /\d/.test(segment))
  return {
    area,
    method,
    ...(recordId !== undefined && { recordId }),
    ...(body !== undefined && { body }),
    send: (store) => store.callDashboard(method, path, body),
  }
}

/** A request to an endpoint of the signed-in user. It belongs to no store. */
export const userRequest = (method: Method, path: string, body?: unknown): Request => ({
  area: 'account',
  method,
  ...(body !== undefined && { body }),
  isUserRequest: true,
  send: () => call(method, path, { body }),
})

/** A word of a command line, quoted if a shell would split or expand it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The command line that does the same; undefined if there is none. */
export const commandOf = (
  { command, hasStorelessCommand }: Request,
  store: Pick<StoreContext, 'id'>,
): string | undefined =>
  command && `npx tradepost ${command}${hasStorelessCommand ? '' : ` --store ${store.id}`}`

/** The call as a curl command, with the user's own key. */
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
