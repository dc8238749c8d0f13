import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { RecordPath } from '../../../kernel/client-shapes.ts'
import { listVersions } from './list-versions.ts'
import { StringVersion } from './schema.ts'

/** Operations on the versions of a string that only the dashboard has. */
export const stringVersionEndpoints = [
  endpoint({
    id: 'string_versions.list',
    method: 'GET',
    path: '/strings/:id/versions',
    permission: 'client_security:read',
    hasValues: true,
    summary: 'List the current version of a string and up to 50 former ones, newest first.',
    params: RecordPath,
    response: z.object({
      versions: z.array(StringVersion).describe('The versions, newest first.'),
    }),
    errors: ['NOT_FOUND'],
    audit: { action: 'string_version.list', object: 'string' },
    handle: async ({ context, params }) => ({ versions: await listVersions(context, params.id) }),
  }),
]
