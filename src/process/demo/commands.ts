import { createInterface } from 'node:readline/promises'
import { CommandError, command, SILENT, text } from '../../command.ts'

const WHAT =
  'This removes every record of the demo shop, also those that you made, and makes it anew.'

export const demoCommands = [
  command({
    name: 'demo reset',
    summary: 'Remove the records of the demo shop, and make it anew.',
    examples: ['tradepost demo reset', 'tradepost demo reset --json'],
    options: [
      { flags: '--store <hash>', description: 'the test side of the demo shop; may be left out' },
      { flags: '--yes', description: 'do not ask; it asks only at a terminal' },
    ],
    async before(_, { yes }) {
      if (yes === true || !process.stdin.isTTY) return
      const terminal = createInterface({ input: process.stdin, output: process.stderr })
      const answer = await terminal.question(`${WHAT} Go on? [y/N] `)
      terminal.close()
      if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.')
    },
    async run(app, input, { signal, emit } = SILENT) {
      const { asStore, selectStore, selectStoreById } = await import(
        '../../features/installation/index.ts'
      )
      const { sideOf } = await import('../../features/store/index.ts')
      const { selectLivelyStore } = await import('./queries.ts')
      const trade = await selectLivelyStore(app.db)
      const named = text(input, 'store')
      const row = named
        ? await selectStore(app.db, named)
        : trade && (await selectStoreById(app.db, trade.store_id))
      if (named && !row) throw new CommandError(`--store: there is no store ${named}.`)
      if (!trade || !row) {
        const cure = 'tradepost start --demo --lively opens one where there are no other stores.'
        throw new CommandError(`There is no demo shop. ${cure}`)
      }
      if (row.id !== trade.store_id) {
        const why =
          'it is not the test side that start --demo --lively filled, so its records are yours'
        throw new CommandError(`${row.hash} cannot be reset: ${why}.`)
      }
      const { makeLively } = await import('./make-lively.ts')
      const onStep = (done: number, total: number) => emit({ done, total, failed: 0 })
      const made = await makeLively(app, trade, { signal, onStep })
      if (!made) throw new CommandError('The demo shop is being made; wait until it is complete.')
      return { stores: [sideOf(asStore(row), undefined)] }
    },
    print: ({ stores }) =>
      stores.map(({ id, slug }) => `${id}  ${slug}  The demo shop is new.`).join('\n'),
  }),
]
