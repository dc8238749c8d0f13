import { CommandError, command, needed, STORE_OPTIONS } from '../../../command.ts'
import { FEATURES, type Feature } from '../../../store-context.ts'
import { isPlan, PLAN_NAMES } from './plans.rules.ts'

export const storeCommands = [
  command({
    name: 'stores list',
    summary: 'Show every store, with its live and its test side.',
    examples: ['tradepost stores list', 'tradepost stores list --json'],
    async run({ db }) {
      const { selectStores } = await import('./queries.ts')
      const stores = await selectStores(db)
      return stores.map(({ hash, slug, name, livemode, currency, plan }) => ({
        id: hash,
        slug,
        name,
        livemode,
        currency,
        plan,
      }))
    },
    print: (stores) =>
      stores
        .map(({ id, slug, livemode, plan }) => `${id}  ${slug}  ${sideName(livemode)}  ${plan}`)
        .join('\n') || 'No stores.',
  }),

  command({
    name: 'stores set-plan',
    summary: 'Put both sides of a store on a plan.',
    examples: ['tradepost stores set-plan --plan scale'],
    options: [
      ...STORE_OPTIONS,
      {
        flags: '--plan <plan>',
        description: PLAN_NAMES.join(', '),
        required: true,
        values: () => PLAN_NAMES,
      },
    ],
    async run(app, input) {
      const { storeNamed } = await import('./store-named.ts')
      const { setPlan } = await import('./set-store.ts')
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
    examples: ['tradepost features set affiliates=on,shipping=off'],
    args: ['<switches>'],
    argValues: () => Object.keys(FEATURES).flatMap((name) => [`${name}=on`, `${name}=off`]),
    options: STORE_OPTIONS,
    async run(app, input) {
      const { storeNamed } = await import('./store-named.ts')
      const { setFeatures } = await import('./set-store.ts')
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

/** `affiliates=on,shipping=off` */
function parseSwitches(list: string): Partial<Record<Feature, boolean>> {
  const names = Object.keys(FEATURES)
  const switches = list.split(',').map((item) => {
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
