import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { SalesQuery, SalesSummary } from './schema.ts'
import { showSales } from './show-sales.ts'

export const analyticsEndpoints = [
  endpoint({
    id: 'analytics.sales',
    method: 'GET',
    path: '/analytics/sales',
    permission: 'analytics:read',
    summary: 'Get the sales of a period.',
    description:
      'Days begin and end in the time zone of the store. An order counts on the day of its payment, a completion on the day of the completion, and a refund on the day of the refund.',
    query: SalesQuery,
    response: z.object({ summary: SalesSummary }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ summary: await showSales(context, query) }),
  }),
]
