import { command } from '../../../command.ts'

export const secretsCommands = [
  command({
    name: 'secrets rotate',
    summary:
      'Seal every secret with the first secrets key, or with a new one where it lies in a file.',
    examples: ['tradepost secrets rotate'],
    run: async (app) => (await import('./rotate-secrets.ts')).rotateSecrets(app),
    print: ({ from, to, rows }) =>
      from === to
        ? `Everything is sealed with the key ${to} already.`
        : `${rows} values are sealed with ${to} now; only backups from before need ${from}.`,
  }),
]
