import { z } from 'zod'
import { DateTime } from '../../../kernel/shapes.ts'

export const Finding = z
  .object({
    check: z.string().describe('The name of the check.'),
    ok: z.boolean().describe('False if the check found a fault.'),
    finished: z
      .boolean()
      .describe('False if the check took too long. Run `tradepost doctor`, which waits for it.'),
    detail: z.string().describe('The rule that is checked, and the number of rows that break it.'),
    cure: z.string().nullable().describe('The remedy; null if none is needed.'),
  })
  .meta({ id: 'DoctorFinding', description: 'The result of a check.' })
export type Finding = z.output<typeof Finding>

/** The result of the last run of the checks. */
export const Checkup = z.object({
  running: z.boolean().describe('True while checks run.'),
  checked_at: DateTime.nullable().describe('The end of the last run; null before the first.'),
  ok: z.boolean().describe('False if a check found a fault.'),
  findings: z.array(Finding).describe('The findings of the last run.'),
})
export type Checkup = z.output<typeof Checkup>
