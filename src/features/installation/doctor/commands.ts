import { command, plain } from '../../../command.ts'
import { printDiagnosis } from './report.rules.ts'

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
    print: ({ findings }, paint = plain) => printDiagnosis(findings, paint),
  }),
]
