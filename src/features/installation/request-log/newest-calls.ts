import { type App, storeContextOf } from '../../../app.ts'
import { CommandError, type Input, text } from '../../../command.ts'
import { asStore, storeNamed } from '../stores/index.ts'
import { listCalls } from './list-calls.ts'
import { type ApiCall, CallQuery } from './schema.ts'
import { NEWEST } from './tail.rules.ts'

/** The newest calls of the store that a command names, the oldest of them first. */
export async function newestCalls(app: App, input: Input): Promise<ApiCall[]> {
  const { success, data } = CallQuery.safeParse({
    limit: String(NEWEST),
    status: text(input, 'status'),
  })
  if (!success) throw new CommandError('--status: write a status such as 404, or 4xx or 5xx.', 2)
  const store = asStore(await storeNamed(app, input))
  const { calls } = await listCalls(storeContextOf(app, store), data)
  return calls.reverse()
}
