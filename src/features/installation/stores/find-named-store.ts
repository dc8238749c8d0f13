import type { App } from '../../../app.ts'
import { CommandError, type Input, text } from '../../../command.ts'
import * as q from './queries.ts'

/** Returns the store that `--store` names, or else the live or the test side of the only store. */
export async function findNamedStore(app: App, input: Input): Promise<q.StoreRow> {
  const hash = text(input, 'store')
  if (hash === undefined) return onlyStore(app, input.test !== true)
  const store = await q.selectStore(app.db, hash)
  if (!store) throw new CommandError(`--store: there is no store ${hash}.`)
  if (input.test === true && store.livemode) {
    throw new CommandError(`--test: ${hash} is a live side. Omit --store or --test.`, 2)
  }
  return store
}

async function onlyStore({ db }: App, livemode: boolean): Promise<q.StoreRow> {
  const sides = (await q.selectStores(db)).filter((store) => store.livemode === livemode)
  const [first] = sides
  if (!first) {
    throw new CommandError(
      'There is no store yet. Create one with: tradepost stores create --name NAME',
    )
  }
  if (sides.length === 1) return first
  const ids = sides.map((store) => `${store.hash} (${store.slug})`).join(', ')
  throw new CommandError(
    `--store is missing, and there are several stores. Add --store with one of: ${ids}.`,
    2,
  )
}
