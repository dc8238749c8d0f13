import { command, plain } from '../../../command.ts'
import { printDiagnosis } from './report.rules.ts'

export const doctorCommands = [
  command({
    name: 'doctor',
    summary: 'Check every invariant of the data, and the setup.',
    examples: ['tradepost doctor', 'tradepost doctor --json'],
    isCheck: true,
    // The command waits for every check, so `finished` would always be true.
    run: async (app) => {
      const { diagnoseWithFiles } = await import('./examine.ts')
      const { ok, findings } = await diagnoseWithFiles(app)
      return { ok, findings: findings.map(({ finished, ...finding }) => finding) }
    },
    print: ({ findings }, paint = plain) => printDiagnosis(findings, paint),
  }),
]
