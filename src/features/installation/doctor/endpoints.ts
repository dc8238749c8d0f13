import { endpoint } from '../../../http/endpoint.ts'
import { checkOwner } from '../users/index.ts'
import { latestCheckup } from './background-doctor.ts'
import { Checkup } from './schema.ts'

/** The data checks of `tradepost doctor`, for owners of a store. */
export const doctorEndpoints = [
  endpoint({
    id: 'doctor.get',
    method: 'GET',
    path: '/doctor',
    permission: 'account:write',
    summary: 'Get the results of the checks of this installation, at most a minute old.',
    description:
      'Requires the role of an owner. If the last result is older than a minute, the call starts a run in the background. Repeat the call while `running` is true.',
    response: Checkup,
    errors: ['INSUFFICIENT_SCOPE'],
    async prepare({ context }, app) {
      await checkOwner(context)
      return latestCheckup(app)
    },
    handle: async ({ prepared }) => prepared,
  }),
]
