import { command } from '../../../command.ts'

export const secretsCommands = [
  command({
    name: 'secrets rotate',
    summary:
      'Seal every secret with the first key of TRADEPOST_SECRETS_KEY; if the key is in a file, with a new one.',
    examples: ['tradepost secrets rotate'],
    run: async (app) => (await import('./rotate-secrets.ts')).rotateSecrets(app),
    print: ({ from, to, rows }) =>
      from === to
        ? `All values are already sealed with the key ${to}.`
        : `${rows} values are now sealed with the key ${to}. Only older backups need the key ${from}.`,
  }),
]
