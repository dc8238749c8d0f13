import { command, STORE_OPTIONS } from '../../../command.ts'

export const walletCommands = [
  command({
    name: 'wallet repair',
    summary: 'Recompute the totals of a wallet from the orders and withdrawals of its store.',
    examples: ['tradepost wallet repair --store HASH'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const { findNamedStore } = await import('../../installation/index.ts')
      const { repairWallet } = await import('./repair-wallet.ts')
      return repairWallet(app, await findNamedStore(app, input))
    },
    print: ({ id, changes }) =>
      Object.entries(changes)
        .map(([total, { from, to }]) => `${id} ${total}: ${from} to ${to}`)
        .join('\n') || `The wallet of ${id} was correct.`,
  }),
]
