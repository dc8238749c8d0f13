import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { checkOwner } from '../users/index.ts'
import { SystemInfo } from './schema.ts'
import { showSystem } from './show-system.ts'

/** Versions and parts of the installation, for owners. */
export const systemEndpoints = [
  endpoint({
    id: 'system.get',
    method: 'GET',
    path: '/system',
    permission: 'account:write',
    summary: 'Get the versions of this installation, and the state of each part.',
    description:
      'Requires the role of an owner. The parts are checked at most once a minute; the call waits at most 5 seconds for them. The webhook queue and the receivers of this store are read at each call.',
    response: z.object({ system: SystemInfo }),
    errors: ['INSUFFICIENT_SCOPE'],
    async prepare({ context }, app) {
      await checkOwner(context)
      return showSystem(app, context)
    },
    handle: async ({ prepared }) => ({ system: prepared }),
  }),
]
