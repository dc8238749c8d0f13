import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import {
  PacesQuery,
  PartsQuery,
  ProductPace,
  RefundsQuery,
  RefundsReport,
  RunwaysQuery,
  SalesHours,
  SalesParts,
  StockRunway,
} from './dashboard-schema.ts'
import { showHours } from './show-hours.ts'
import { showPaces, showRunways } from './show-paces.ts'
import { showParts } from './show-parts.ts'
import { showRefunds } from './show-refunds.ts'

/** Analytics that only the dashboard can request. */
export const dashboardAnalyticsEndpoints = [
  endpoint({
    id: 'analytics.product_paces',
    method: 'GET',
    path: '/product-paces',
    permission: 'analytics:read',
    summary: 'Get the sales pace of products and the time when their stock runs out.',
    query: PacesQuery,
    response: z.object({
      paces: z
        .array(ProductPace)
        .describe('The paces in the sequence of `product_ids`. Unknown products are omitted.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ paces: await showPaces(context, query.product_ids) }),
  }),
  endpoint({
    id: 'analytics.stock_runways',
    method: 'GET',
    path: '/stock-runways',
    permission: 'analytics:read',
    summary: 'List active products by the time when their stock runs out, the earliest first.',
    description:
      'Products that sold nothing in the last 28 days, or whose stock lasts longer than a year, are omitted.',
    query: RunwaysQuery,
    response: z.object({
      runways: z
        .array(StockRunway)
        .describe('A page of products. Products without stock are first.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => showRunways(context, query),
  }),
  endpoint({
    id: 'analytics.sales_parts',
    method: 'GET',
    path: '/sales-parts',
    permission: 'analytics:read',
    summary: 'Get the sales of a period by source and by coupon.',
    query: PartsQuery,
    response: z.object({ parts: SalesParts }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ parts: await showParts(context, query) }),
  }),
  endpoint({
    id: 'analytics.refunds',
    method: 'GET',
    path: '/refunds-report',
    permission: 'analytics:read',
    summary: 'Get the refunds of a period over time, by reason, payment method and product.',
    description:
      'A refund counts on its own day. Refunds of orders that were never paid in full are omitted, as in `GET /analytics/sales`.',
    query: RefundsQuery,
    response: z.object({ refunds: RefundsReport }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => ({ refunds: await showRefunds(context, query) }),
  }),
  endpoint({
    id: 'analytics.sales_hours',
    method: 'GET',
    path: '/sales-hours',
    permission: 'analytics:read',
    summary:
      'Get the sales of the current day by hour, next to the same weekday of the week before.',
    response: z.object({ sales: SalesHours }),
    errors: [],
    handle: async ({ context }) => ({ sales: await showHours(context) }),
  }),
]
