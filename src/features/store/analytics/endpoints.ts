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
      'Days are days of the store’s time zone. Orders count on the day on which they were paid, completions on the day of the completion, and refunds on the day on which the money went back.',
    query: SalesQuery,
    response: z.object({ summary: SalesSummary }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ summary: await showSales(context, query) }),
  }),
]
