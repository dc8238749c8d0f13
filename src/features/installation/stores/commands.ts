import type { App } from '../../../app.ts'
import { CommandError, command, type Input, needed, text } from '../../../command.ts'
import { FEATURES, type Feature } from '../../../store-context.ts'
import { isPlan, PLAN_NAMES } from './plans.rules.ts'
import * as q from './queries.ts'
import { setFeatures, setPlan } from './set-store.ts'

/** How a command names its store; both may be left out where there is exactly one. */
export const STORE_OPTIONS = [
  { flags: '--store <hash>', description: 'the id of the store; needed where there are several' },
  { flags: '--test', description: 'the test side, where --store is left out' },
]

export const storeCommands = [
  command({
    name: 'stores list',
    summary: 'Show every store, with its live and its test side.',
    run: async ({ db }) =>
      (await q.selectStores(db)).map(({ hash, slug, name, livemode, currency, plan }) => ({
        id: hash,
        slug,
        name,
        livemode,
        currency,
        plan,
      })),
    print: (stores) =>
      stores
        .map(({ id, slug, livemode, plan }) => `${id}  ${slug}  ${sideName(livemode)}  ${plan}`)
        .join('\n') || 'No stores.',
  }),

  command({
    name: 'stores set-plan',
    summary: 'Put both sides of a store on a plan.',
    options: [
      ...STORE_OPTIONS,
      { flags: '--plan <plan>', description: PLAN_NAMES.join(', '), required: true },
    ],
    async run(app, input) {
      const store = await storeNamed(app, input)
      const plan = needed(input, 'plan')
      if (!isPlan(plan)) throw new CommandError(`--plan: write one of ${PLAN_NAMES.join(', ')}.`, 2)
      await setPlan(app, store, plan)
      return { id: store.hash, plan }
    },
    print: ({ id, plan }) => `${id} is on the plan ${plan}.`,
  }),

  command({
    name: 'features set',
    summary: 'Switch features of a store: affiliates=on,shipping=off.',
    args: ['<switches>'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const store = await storeNamed(app, input)
      const features = parseSwitches(needed(input, 'switches'))
      await setFeatures(app, store, features)
      return { id: store.hash, features: { ...FEATURES, ...store.features, ...features } }
    },
    print: ({ id, features }) =>
      [id, ...Object.entries(features).map(([name, on]) => `  ${name}: ${on ? 'on' : 'off'}`)].join(
        '\n',
      ),
  }),
]

const sideName = (livemode: boolean) => (livemode ? 'live' : 'test')

/** The store that --store names; where it is left out, the side that --test chooses of the only store. */
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

/** `affiliates=on,shipping=off` */
function parseSwitches(given: string): Partial<Record<Feature, boolean>> {
  const names = Object.keys(FEATURES)
  const switches = given.split(',').map((item) => {
    const [name = '', state = ''] = item.trim().split('=')
    if (!names.includes(name) || !['on', 'off'].includes(state)) {
      throw new CommandError(
        `"${item}": write name=on or name=off; names are ${names.join(', ')}.`,
        2,
      )
    }
    return [name, state === 'on']
  })
  return Object.fromEntries(switches)
}
