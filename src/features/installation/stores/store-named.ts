import type { App } from '../../../app.ts'
import { CommandError, type Input, text } from '../../../command.ts'
import * as q from './queries.ts'

/** The store that --store names; if it is omitted, the side of the only store that --test selects. */
export async function storeNamed(app: App, input: Input): Promise<q.StoreRow> {
  const hash = text(input, 'store')
  if (hash === undefined) return onlyStore(app, input.test !== true)
  const store = await q.selectStore(app.db, hash)
  if (!store) throw new CommandError(`--store: there is no store ${hash}.`)
  if (input.test === true && store.livemode) {
    throw new CommandError(`--test: ${hash} is a live side. Leave --store or --test out.`, 2)
  }
  return store
}

async function onlyStore({ db }: App, livemode: boolean): Promise<q.StoreRow> {
  const sides = (await q.selectStores(db)).filter((store) => store.livemode === livemode)
  const [only] = sides
  if (!only) {
    throw new CommandError(
      'There is no store yet. Make one with: tradepost stores create --name NAME',
    )
  }
  if (sides.length === 1) return only
  const ids = sides.map((store) => `${store.hash} (${store.slug})`).join(', ')
  throw new CommandError(`--store is missing, and there are several stores: ${ids}.`, 2)
}
