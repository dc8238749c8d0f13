import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message } from '../../../kernel/client-shapes.ts'
import { PathId } from '../../../kernel/shapes.ts'
import { LicensePolicy, NewPolicy } from './policy-schema.ts'
import { getPolicy, setPolicy } from './set-policy.ts'

const VariantPath = z.object({ id: PathId.describe('The id of the variant.') })

export const policyEndpoints = [
  endpoint({
    id: 'license_policies.get',
    method: 'GET',
    path: '/license-policies/:id',
    permission: 'client_security:read',
    summary: 'Get the license policy of a variant.',
    params: VariantPath,
    response: z.object({ license_policy: LicensePolicy }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      license_policy: await getPolicy(context, params.id),
    }),
  }),
  endpoint({
    id: 'license_policies.set',
    method: 'PUT',
    path: '/license-policies/:id',
    permission: 'client_security:write',
    summary: 'Set the license policy of a variant. It applies to future sales.',
    params: VariantPath,
    body: NewPolicy,
    example: { prefix: 'GAME', max_devices: 2, duration_seconds: 31_536_000 },
    response: z.object({ license_policy: LicensePolicy, message: Message }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'license_policy.set', object: 'license_policy' },
    handle: async ({ context, caller, params, body }) => ({
      license_policy: await setPolicy(context, caller, params.id, body),
      message: 'The license policy was set.',
    }),
  }),
]
