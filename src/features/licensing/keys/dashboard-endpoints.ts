import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { RecordPath } from '../../../kernel/client-shapes.ts'
import { ListedLicenseKey } from './schema.ts'
import { getListedKey } from './show-keys.ts'

/** Operations of the dashboard for users who may read license keys but not their texts (decision 136). */
export const maskedKeyEndpoints = [
  endpoint({
    id: 'license_keys.get_masked',
    method: 'GET',
    path: '/license-keys/:id',
    permission: 'client_security:read',
    summary: 'Get a license key without its text.',
    params: RecordPath,
    response: z.object({ key: ListedLicenseKey }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ key: await getListedKey(context, params.id) }),
  }),
]
