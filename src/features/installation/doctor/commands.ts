import { command } from '../../../command.ts'

export const doctorCommands = [
  command({
    name: 'doctor',
    summary: 'Check every promise on the data, and the setup.',
    examples: ['tradepost doctor', 'tradepost doctor --json'],
    // The command waits for every check, so `finished` would say nothing.
    run: async (app) => {
      const { examine } = await import('./examine.ts')
      const { ok, findings } = await examine(app)
      return { ok, findings: findings.map(({ finished: _, ...finding }) => finding) }
    },
    print: ({ findings }) =>
      findings
        .map(
          ({ ok, check, detail, cure }) =>
            `${ok ? 'ok   ' : 'FAULT'} ${check}: ${detail}${cure ? `\n      ${cure}` : ''}`,
        )
        .join('\n'),
  }),
]
