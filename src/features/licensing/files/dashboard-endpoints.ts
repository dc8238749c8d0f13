import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { RecordPath } from '../../../kernel/client-shapes.ts'
import { listVersions } from './list-versions.ts'
import { rollBackFile } from './roll-back-file.ts'
import { FileRollback, FileVersions, ServersideFile } from './schema.ts'

/** Operations on the contents of a file that only the dashboard has. */
export const fileVersionEndpoints = [
  endpoint({
    id: 'file_versions.list',
    method: 'GET',
    path: '/files/:id/versions',
    permission: 'client_security:read',
    summary: 'List the current content of a file and up to 5 former ones, newest first.',
    params: RecordPath,
    response: FileVersions,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => listVersions(context, params.id),
  }),
  endpoint({
    id: 'file_versions.roll_back',
    method: 'POST',
    path: '/files/:id/rollback',
    permission: 'client_security:write',
    summary: 'Restore a former content of a file, as a new version.',
    params: RecordPath,
    body: FileRollback,
    example: { version: 3 },
    response: z.object({ serverside_file: ServersideFile }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'file_version.roll_back', object: 'file' },
    handle: async ({ context, caller, params, body, version }) => ({
      serverside_file: await rollBackFile(
        context,
        caller,
        { id: params.id, version },
        body.version,
      ),
    }),
  }),
]
