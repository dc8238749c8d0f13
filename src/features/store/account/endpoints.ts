import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Account } from './schema.ts'
import { showAccount } from './show-account.ts'

export const accountEndpoints = [
  endpoint({
    id: 'account.get',
    method: 'GET',
    path: '/account',
    permission: 'account:read',
    summary: 'Show the store, its plan and limits, and what the calling key may do.',
    response: z.object({ account: Account }),
    errors: [],
    handle: async ({ context, caller }) => ({ account: showAccount(context, caller) }),
  }),
]
