import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { PageQuery, Pagination } from '../../../kernel/shapes.ts'
import { listDisputes } from './list-disputes.ts'
import { OpenDispute } from './payment-schema.ts'

/** The disputes that a seller has to answer, which only the dashboard lists. */
export const disputeEndpoints = [
  endpoint({
    id: 'orders.list_disputes',
    method: 'GET',
    path: '/disputes',
    permission: 'orders:read',
    summary: 'List the payments with an open dispute, those that must be answered first in front.',
    query: z.object(PageQuery),
    response: z.object({
      disputes: z.array(OpenDispute).describe('A page of disputes.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listDisputes(context, query),
  }),
]
