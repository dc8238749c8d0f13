import { command } from '../../../command.ts'
import { examine } from './examine.ts'

export { doctorEndpoints } from './endpoints.ts'
export { type Diagnosis, diagnose, examine, type Finding } from './examine.ts'

export const doctorCommands = [
  command({
    name: 'doctor',
    summary: 'Check every promise on the data, and the setup.',
    run: (app) => examine(app),
    print: ({ findings }) =>
      findings
        .map(
          ({ ok, check, detail, cure }) =>
            `${ok ? 'ok   ' : 'FAULT'} ${check}: ${detail}${cure ? `\n      ${cure}` : ''}`,
        )
        .join('\n'),
  }),
]
