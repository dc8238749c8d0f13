import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PathId } from '../../../kernel/shapes.ts'
import { getCall } from './get-call.ts'
import { listCalls } from './list-calls.ts'
import { listMinute } from './list-minute.ts'
import { replayCall } from './replay-call.ts'
import * as s from './schema.ts'
import { showUsage } from './show-usage.ts'

const KeyPath = z.object({ id: PathId.describe('The id of the key.') })

const CallPage = z.object({
  calls: z.array(s.ApiCall).describe('A page of calls.'),
  next_cursor: z
    .string()
    .nullable()
    .describe('The cursor of the next page; null on the last page.'),
})

/** The list of the log, for the dashboard and for `tradepost logs tail` on another machine (decision 486). */
export const callEndpoints = [
  endpoint({
    id: 'account.list_calls',
    method: 'GET',
    path: '/account/calls',
    permission: 'account:read',
    summary: 'List calls with API keys, newest first, without their bodies.',
    description:
      'Lists up to 100,000 calls of the last 7 days. A call appears in the log within about a second.',
    query: s.CallQuery,
    response: CallPage,
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listCalls(context, query),
  }),
]

/** The bodies of calls, their repetition and their counts. Only the dashboard mounts these endpoints (decision 295). */
export const requestLogEndpoints = [
  endpoint({
    id: 'request_log.get',
    method: 'GET',
    path: '/request-log/:id',
    permission: 'account:read',
    summary: 'Get a call with its bodies, in which secrets are masked.',
    params: s.CallPath,
    response: z.object({ call: s.ApiCallInFull }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, caller, params }) => ({
      call: await getCall(context, caller, params.id),
    }),
  }),
  endpoint({
    id: 'request_log.replay',
    method: 'POST',
    path: '/request-log/:id/replay',
    permission: 'account:write',
    summary: 'Repeat a call of a test side as the signed-in user.',
    params: s.CallPath,
    response: z.object({ replay: s.Replay }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'request_log.replay', object: 'request_log' },
    prepare: ({ context, caller, params }) => replayCall(context, caller, params.id),
    async handle({ context, prepared }) {
      context.audit.reportChange(null, { replayed_as: prepared.request_id })
      return { replay: prepared }
    },
  }),
  endpoint({
    id: 'request_log.minute',
    method: 'GET',
    path: '/calls-of-minute',
    permission: 'account:read',
    summary: 'List the keys with their calls in the past 60 seconds and their limits.',
    description:
      'Keys without a call in this time are left out. Calls are counted from the request log, so the newest second may be missing.',
    response: z.object({
      keys: z.array(s.KeyMinute).describe('The key with the most calls first.'),
      dashboard_limit: z
        .int()
        .describe('The calls that you may make in the dashboard in 60 seconds.'),
    }),
    errors: [],
    handle: async ({ context, caller }) => ({
      keys: await listMinute(context),
      dashboard_limit: caller.rate_limit,
    }),
  }),
  endpoint({
    id: 'api_keys.usage',
    method: 'GET',
    path: '/api-keys/:id/usage',
    permission: 'account:read',
    summary: 'Get the operations that a key called in the past 30 days.',
    params: KeyPath,
    response: z.object({ usage: s.KeyUsage }),
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ usage: await showUsage(context, params.id) }),
  }),
]
