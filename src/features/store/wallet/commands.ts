import { command, STORE_OPTIONS } from '../../../command.ts'

export const walletCommands = [
  command({
    name: 'wallet repair',
    summary:
      'Set the totals of a wallet to what the orders and withdrawals of its store add up to.',
    examples: ['tradepost wallet repair --store HASH'],
    options: STORE_OPTIONS,
    async run(app, input) {
      const { storeNamed } = await import('../../installation/index.ts')
      const { repairWallet } = await import('./repair-wallet.ts')
      return repairWallet(app, await storeNamed(app, input))
    },
    print: ({ id, changes }) =>
      Object.entries(changes)
        .map(([total, { from, to }]) => `${id} ${total}: ${from} to ${to}`)
        .join('\n') || `The wallet of ${id} was right.`,
  }),
]
