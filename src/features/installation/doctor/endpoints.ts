import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { DateTime } from '../../../kernel/shapes.ts'
import { checkOwner } from '../users/index.ts'
import { checkUp } from './background-doctor.ts'

const Finding = z
  .object({
    check: z.string().describe('The name of the check.'),
    ok: z.boolean().describe('False for a fault.'),
    finished: z.boolean().describe('False if the check took too long here; `doctor` runs it.'),
    detail: z.string().describe('The promise, and how many rows break it.'),
    cure: z.string().nullable().describe('The remedy; null if none is needed.'),
  })
  .meta({ id: 'DoctorFinding', description: 'The result of a check.' })

/** The checks of `tradepost doctor` on the data, for owners (decision 298). */
export const doctorEndpoints = [
  endpoint({
    id: 'doctor.get',
    method: 'GET',
    path: '/doctor',
    permission: 'account:write',
    summary: 'Get the results of the checks of this installation, at most a minute old.',
    description:
      'For owners. An older result starts a run in the background; look again while `running` is true.',
    response: z.object({
      running: z.boolean().describe('True while checks run.'),
      checked_at: DateTime.nullable().describe('When the last run ended; null before the first.'),
      ok: z.boolean().describe('False if a check found a fault.'),
      findings: z.array(Finding).describe('The last result.'),
    }),
    errors: ['INSUFFICIENT_SCOPE'],
    async ask({ context }, app) {
      await checkOwner(context)
      return checkUp(app)
    },
    handle: async ({ asked }) => asked,
  }),
]
