import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination, PathId, ProductRef } from '../../../kernel/shapes.ts'
import { createAlert } from './create-alert.ts'
import { deleteAlert } from './delete-alert.ts'
import { NewStockAlert, StockAlert, StockAlertQuery, Threshold } from './schema.ts'
import { setThreshold } from './set-threshold.ts'
import { listAlerts } from './show-alerts.ts'

const ProductPath = z.object({ id: ProductRef })
const threshold = Threshold.describe(
  'Stock counts as low at this number of units or fewer; null for never.',
)

export const stockAlertEndpoints = [
  endpoint({
    id: 'stock_alerts.list',
    method: 'GET',
    path: '/products/:id/stock-alerts',
    permission: 'products:read',
    summary: 'List the sign-ups for a mail when a product is in stock again, the newest first.',
    params: ProductPath,
    query: StockAlertQuery,
    response: z.object({
      stock_alerts: z.array(StockAlert).describe('A page of sign-ups.'),
      pagination: Pagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, query }) => listAlerts(context, params.id, query),
  }),
  endpoint({
    id: 'stock_alerts.create',
    method: 'POST',
    path: '/products/:id/stock-alerts',
    permission: 'products:write',
    summary: 'Sign a customer up for a mail when a product is in stock again.',
    description: 'If the same sign-up is pending already, it is returned.',
    params: ProductPath,
    body: NewStockAlert,
    example: { email: 'ada@example.com' },
    status: 201,
    response: z.object({ stock_alert: StockAlert.describe('The sign-up.') }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'stock_alert.create', object: 'product' },
    handle: ({ context, params, body }) => createAlert(context, params.id, body),
  }),
  endpoint({
    id: 'stock_alerts.set_threshold',
    method: 'PATCH',
    path: '/products/:id/stock-alerts',
    permission: 'products:write',
    summary: 'Set the number of units at which the stock of a product counts as low.',
    params: ProductPath,
    body: z.strictObject({ stock_alert_threshold: threshold }).meta({ id: 'StockAlertThreshold' }),
    example: { stock_alert_threshold: 5 },
    response: z.object({ stock_alert_threshold: threshold }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'stock_alert.set_threshold', object: 'product' },
    handle: ({ context, params, body }) =>
      setThreshold(context, params.id, body.stock_alert_threshold),
  }),
  endpoint({
    id: 'stock_alerts.delete',
    method: 'DELETE',
    path: '/products/:id/stock-alerts/:alert_id',
    permission: 'products:write',
    summary: 'Delete a sign-up.',
    params: ProductPath.extend({ alert_id: PathId.describe('The id of the sign-up.') }),
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted sign-up.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'stock_alert.delete', object: 'product' },
    handle: ({ context, params }) => deleteAlert(context, params.id, params.alert_id),
  }),
]
