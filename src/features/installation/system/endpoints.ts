import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { checkOwner } from '../users/index.ts'
import { SystemInfo } from './schema.ts'
import { showSystem } from './show-system.ts'

/** Versions and connections of the installation, for owners (decision 372). */
export const systemEndpoints = [
  endpoint({
    id: 'system.get',
    method: 'GET',
    path: '/system',
    permission: 'account:write',
    summary: 'Get the versions of this installation, and the state of each connection.',
    description:
      'Requires the role of an owner. The connections are checked at most once a minute; the call waits at most 5 seconds for them.',
    response: z.object({ system: SystemInfo }),
    errors: ['INSUFFICIENT_SCOPE'],
    async prepare({ context }, app) {
      await checkOwner(context)
      return showSystem(app)
    },
    handle: async ({ prepared }) => ({ system: prepared }),
  }),
]
