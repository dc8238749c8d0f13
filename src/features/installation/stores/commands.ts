import type { App } from '../../../app.ts'
import { CommandError, command, type Input, needed } from '../../../command.ts'
import { FEATURES, type Feature } from '../../../store-context.ts'
import { isPlan, PLAN_NAMES } from './plans.rules.ts'
import * as q from './queries.ts'
import { setFeatures, setPlan } from './set-store.ts'

const STORE_OPTION = { flags: '--store <hash>', description: 'the id of the store', required: true }

export const storeCommands = [
  command({
    name: 'stores set-plan',
    summary: 'Put both sides of a store on a plan.',
    options: [
      STORE_OPTION,
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
    options: [STORE_OPTION],
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

export async function storeNamed(app: App, input: Input) {
  const hash = needed(input, 'store')
  const store = await q.selectStore(app.db, hash)
  if (!store) throw new CommandError(`--store: there is no store ${hash}.`)
  return store
}

/** `affiliates=on,shipping=off` */
function parseSwitches(text: string): Partial<Record<Feature, boolean>> {
  const names = Object.keys(FEATURES)
  const switches = text.split(',').map((item) => {
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
