import { type Command, STORE_OPTIONS } from '../../../command.ts'

export const logCommands: readonly Command[] = [
  {
    name: 'logs tail',
    summary: 'Show the newest API calls of a store, and each further call until Ctrl+C.',
    examples: ['tradepost logs tail --test', 'tradepost logs tail --status 4xx --lines 50'],
    options: [
      ...STORE_OPTIONS,
      { flags: '--status <status>', description: 'only these statuses, such as 404 or 5xx' },
      {
        flags: '--lines <count>',
        description: 'the number of earlier calls to show first; the default is 20',
      },
    ],
    run: async (app, input) => (await import('./newest-calls.ts')).newestCalls(app, input),
    runRemotely: async (store, input) =>
      (await import('./newest-calls.ts')).newestCallsRemotely(store, input),
    runAtTerminal: async (terminal) => (await import('./tail-calls.ts')).tailCalls(terminal),
  },
]
