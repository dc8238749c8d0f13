import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PathId } from '../../../kernel/shapes.ts'
import { getCall } from './get-call.ts'
import { listCalls } from './list-calls.ts'
import { replayCall } from './replay-call.ts'
import * as s from './schema.ts'
import { showUsage } from './show-usage.ts'

const KeyPath = z.object({ id: PathId.describe('Key id.') })

/** The log of calls with API keys, in the dashboard only (decision 295). */
export const requestLogEndpoints = [
  endpoint({
    id: 'request_log.list',
    method: 'GET',
    path: '/request-log',
    permission: 'account:read',
    summary: 'List calls with API keys, the newest first.',
    description:
      'Calls are kept for 7 days, at most 100,000 of a store. They appear after a second.',
    query: s.CallQuery,
    response: z.object({
      calls: z.array(s.ApiCall).describe('A page of calls.'),
      next_cursor: z.string().nullable().describe('The next page; null at the end.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listCalls(context, query),
  }),
  endpoint({
    id: 'request_log.get',
    method: 'GET',
    path: '/request-log/:id',
    permission: 'account:read',
    summary: 'Get a call with its bodies. Secrets are masked.',
    params: s.CallPath,
    response: z.object({ call: s.ApiCallInFull }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ call: await getCall(context, params.id) }),
  }),
  endpoint({
    id: 'request_log.replay',
    method: 'POST',
    path: '/request-log/:id/replay',
    permission: 'account:write',
    summary: 'Run a call of a test side again, as yourself.',
    params: s.CallPath,
    response: z.object({ replay: s.Replay }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    ask: ({ context, caller, params }) => replayCall(context, caller, params.id),
    async handle({ context, asked }) {
      context.audit.changed(null, { replayed_as: asked.request_id })
      return { replay: asked }
    },
  }),
  endpoint({
    id: 'api_keys.usage',
    method: 'GET',
    path: '/api-keys/:id/usage',
    permission: 'account:read',
    summary: 'See which operations a key called in the past 30 days.',
    params: KeyPath,
    response: z.object({ usage: s.KeyUsage }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ usage: await showUsage(context, params.id) }),
  }),
]
