import { createInterface } from 'node:readline/promises'
import { CommandError, command, SILENT, text } from '../../command.ts'

const WARNING =
  'This removes every record of the demo shop, including your own, and creates the shop again.'

export const demoCommands = [
  command({
    name: 'demo reset',
    summary: 'Remove the records of the demo shop, and create it again.',
    examples: ['tradepost demo reset', 'tradepost demo reset --json'],
    options: [
      { flags: '--store <hash>', description: 'the test side of the demo shop; may be omitted' },
      { flags: '--yes', description: 'do not ask for confirmation at a terminal' },
    ],
    async before(_, { yes }) {
      if (yes === true || !process.stdin.isTTY) return
      const terminal = createInterface({ input: process.stdin, output: process.stderr })
      const answer = await terminal.question(`${WARNING} Go on? [y/N] `)
      terminal.close()
      if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.')
    },
    async run(app, input, { signal, emit } = SILENT) {
      const { selectStore, selectStoreById } = await import('../../features/installation/index.ts')
      const { toStoreSide } = await import('../../features/store/index.ts')
      const { selectLivelyStore } = await import('./queries.ts')
      const livelyStore = await selectLivelyStore(app.db)
      const hash = text(input, 'store')
      const store = hash
        ? await selectStore(app.db, hash)
        : livelyStore && (await selectStoreById(app.db, livelyStore.store_id))
      if (hash && !store) throw new CommandError(`--store: there is no store ${hash}.`)
      if (!livelyStore || !store) {
        const cure =
          'Create one in an installation without other stores: tradepost start --demo --lively'
        throw new CommandError(`There is no demo shop. ${cure}`)
      }
      if (store.id !== livelyStore.store_id) {
        const reason = 'it is not the test side of the demo shop. Omit --store'
        throw new CommandError(`${store.hash} cannot be reset: ${reason}.`)
      }
      const { makeLively } = await import('./make-lively.ts')
      const onStep = (done: number, total: number) => emit({ done, total, failed: 0 })
      const result = await makeLively(app, livelyStore, { signal, onStep })
      if (!result)
        throw new CommandError('The demo shop is being created. Wait until it is complete.')
      return { stores: [toStoreSide(store, undefined)] }
    },
    print: ({ stores }) =>
      stores.map(({ id, slug }) => `${id}  ${slug}  The demo shop was created again.`).join('\n'),
  }),
]
