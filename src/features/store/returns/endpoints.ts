import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { sendRefunds } from '../payments/index.ts'
import { approveReturn, cancelReturn, rejectReturn } from './change-return.ts'
import { createReturn } from './create-return.ts'
import { receiveReturn } from './receive-return.ts'
import { refundReturn } from './refund-return.ts'
import {
  Approval,
  NewReturn,
  Receipt,
  Rejection,
  Return,
  ReturnPath,
  ReturnQuery,
  ReturnRefund,
} from './schema.ts'
import { getReturn, listReturns } from './show-returns.ts'

const OneReturn = z.object({ return: Return })

export const returnEndpoints = [
  endpoint({
    id: 'returns.list',
    method: 'GET',
    path: '/returns',
    permission: 'returns:read',
    summary: 'List returns, by default the newest first.',
    query: ReturnQuery,
    response: z.object({
      returns: z.array(Return).describe('A page of returns.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listReturns(context, query),
  }),
  endpoint({
    id: 'returns.create',
    method: 'POST',
    path: '/returns',
    permission: 'returns:write',
    summary: 'Request a return of physical items.',
    description:
      'The order must be paid, completed or refunded. After its completion, a return can be requested for `return_window_days` of the settings (default 14). A unit can be in only one return at a time.',
    body: NewReturn,
    example: {
      order_id: 'ord_0350000000000000000000',
      items: [{ order_item_id: 7, quantity: 1, reason: 'too_small' }],
    },
    status: 201,
    response: OneReturn,
    errors: ['VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'return.create', object: 'return' },
    handle: async ({ context, body }) => ({ return: await createReturn(context, body) }),
  }),
  endpoint({
    id: 'returns.get',
    method: 'GET',
    path: '/returns/:id',
    permission: 'returns:read',
    summary: 'Get a return.',
    params: ReturnPath,
    response: OneReturn,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({ return: await getReturn(context, params.id) }),
  }),
  endpoint({
    id: 'returns.approve',
    method: 'POST',
    path: '/returns/:id/approve',
    permission: 'returns:write',
    summary: 'Approve a requested return.',
    params: ReturnPath,
    body: Approval,
    example: { tracking_number: '00340434161094042557', carrier_code: 'dhl' },
    response: OneReturn,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'return.approve', object: 'return' },
    handle: async ({ context, params, body }) => ({
      return: await approveReturn(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'returns.reject',
    method: 'POST',
    path: '/returns/:id/reject',
    permission: 'returns:write',
    summary: 'Reject a requested return.',
    params: ReturnPath,
    body: Rejection,
    example: { note: 'The seal is broken.' },
    response: OneReturn,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'return.reject', object: 'return' },
    handle: async ({ context, params, body }) => ({
      return: await rejectReturn(context, params.id, body.note),
    }),
  }),
  endpoint({
    id: 'returns.receive',
    method: 'POST',
    path: '/returns/:id/receive',
    permission: 'returns:write',
    summary: 'Record the received units of an approved return.',
    description:
      'Undamaged units of variants with a tracked quantity are returned to stock, and `product.restocked` is sent.',
    params: ReturnPath,
    body: Receipt,
    example: { items: [{ order_item_id: 7, received_quantity: 1, damaged_quantity: 0 }] },
    response: OneReturn,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'return.receive', object: 'return' },
    handle: async ({ context, params, body }) => ({
      return: await receiveReturn(context, params.id, body),
    }),
  }),
  endpoint({
    id: 'returns.refund',
    method: 'POST',
    path: '/returns/:id/refund',
    permission: 'returns:write',
    summary: 'Refund a received return.',
    description:
      'Refunds the order with the same rules as `POST /orders/:id/refund`, and sends `order.refunded`. An amount of 0 closes the return without a refund. If a payment provider refuses the refund, the return is `received` again, and the refund of the order has the reason.',
    params: ReturnPath,
    body: ReturnRefund,
    example: { amount_cents: 1999 },
    response: OneReturn,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE', 'REFUND_EXCEEDS_PAID'],
    audit: { action: 'return.refund', object: 'return' },
    handle: ({ context, params, body }) => refundReturn(context, params.id, body),
    finish: async ({ context }, { return: { id, order_id }, asks_provider }) => {
      if (!asks_provider) return undefined
      await sendRefunds(context, order_id)
      return { return: await getReturn(context, id) }
    },
  }),
  endpoint({
    id: 'returns.cancel',
    method: 'POST',
    path: '/returns/:id/cancel',
    permission: 'returns:write',
    summary: 'Cancel a return before it is received.',
    params: ReturnPath,
    response: OneReturn,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'return.cancel', object: 'return' },
    handle: async ({ context, params }) => ({ return: await cancelReturn(context, params.id) }),
  }),
]
