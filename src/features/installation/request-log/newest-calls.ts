import { type App, storeContextOf } from '../../../app.ts'
import { CommandError, type Input, type RemoteStore, text } from '../../../command.ts'
import { findNamedStore } from '../stores/index.ts'
import { listCalls } from './list-calls.ts'
import { type ApiCall, CallQuery } from './schema.ts'
import { CALLS_PER_POLL } from './tail.rules.ts'

/** Returns the newest calls of a store in the order in which they were made. */
export async function newestCalls(app: App, input: Input): Promise<ApiCall[]> {
  const query = queryOf(input)
  const store = await findNamedStore(app, input)
  const { calls } = await listCalls(storeContextOf(app, store), query)
  return calls.reverse()
}

/** Like `newestCalls`, through the API of a store on another machine. Leaves out the calls that it makes itself. */
export async function newestCallsRemotely(store: RemoteStore, input: Input): Promise<ApiCall[]> {
  const { limit, status } = queryOf(input)
  const query = new URLSearchParams({ limit: String(limit), ...(status && { status }) })
  const { calls } = await store.call<{ calls: ApiCall[] }>('GET', `/account/calls?${query}`)
  return calls.filter(({ operation }) => operation !== 'account.list_calls').reverse()
}

function queryOf(input: Input): CallQuery {
  const { success, data } = CallQuery.safeParse({
    limit: String(CALLS_PER_POLL),
    status: text(input, 'status'),
  })
  if (!success) throw new CommandError('--status: write a status such as 404, or 4xx or 5xx.', 2)
  return data
}
