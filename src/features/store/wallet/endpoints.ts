import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { cancelWithdrawal, completeWithdrawal, failWithdrawal } from './end-withdrawal.ts'
import { Ledger, LedgerQuery } from './ledger-schema.ts'
import { listLedger } from './list-ledger.ts'
import { processWithdrawal } from './process-withdrawal.ts'
import { requestWithdrawal } from './request-withdrawal.ts'
import {
  Completion,
  Failure,
  NewWithdrawal,
  Processing,
  Wallet,
  Withdrawal,
  WithdrawalPath,
  WithdrawalQuery,
} from './schema.ts'
import { getWithdrawal, listWithdrawals, showWallet } from './show-wallet.ts'

const OneWithdrawal = z.object({ withdrawal: Withdrawal })

export const walletEndpoints = [
  endpoint({
    id: 'account.get_wallet',
    method: 'GET',
    path: '/account/wallet',
    permission: 'account:read',
    summary: 'Get the payments and refunds of all orders, and the amount that can be withdrawn.',
    response: z.object({ wallet: Wallet }),
    errors: [],
    handle: async ({ context }) => ({ wallet: await showWallet(context) }),
  }),
  endpoint({
    id: 'account.list_ledger',
    method: 'GET',
    path: '/account/ledger',
    permission: 'account:read',
    summary: 'List the changes of the wallet and of the balances of customers, the newest first.',
    query: LedgerQuery,
    response: Ledger,
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listLedger(context, query),
  }),
  endpoint({
    id: 'account.list_withdrawals',
    method: 'GET',
    path: '/account/withdrawals',
    permission: 'account:read',
    summary: 'List withdrawals, the newest first.',
    query: WithdrawalQuery,
    response: z.object({
      withdrawals: z.array(Withdrawal).describe('A page of withdrawals.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listWithdrawals(context, query),
  }),
  endpoint({
    id: 'account.create_withdrawal',
    method: 'POST',
    path: '/account/withdrawals',
    permission: 'account:write',
    summary: 'Request a withdrawal from the wallet.',
    description:
      'The amount is deducted from `available_cents` immediately. Tradepost does not transfer money: make the transfer yourself, and then complete the withdrawal. Send an `Idempotency-Key`, so that a repeated call creates only one withdrawal.',
    body: NewWithdrawal,
    example: {
      amount_cents: 50_000,
      fee_cents: 250,
      method: 'bank_transfer',
      address: 'GB29NWBK60161331926819',
    },
    status: 201,
    response: OneWithdrawal,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'account.create_withdrawal', object: 'withdrawal' },
    handle: async ({ context, body }) => ({ withdrawal: await requestWithdrawal(context, body) }),
  }),
  endpoint({
    id: 'account.get_withdrawal',
    method: 'GET',
    path: '/account/withdrawals/:id',
    permission: 'account:read',
    summary: 'Get a withdrawal.',
    params: WithdrawalPath,
    response: OneWithdrawal,
    errors: ['NOT_FOUND'],
    handle: async ({ context, params }) => ({
      withdrawal: await getWithdrawal(context, params.id),
    }),
  }),
  endpoint({
    id: 'account.process_withdrawal',
    method: 'POST',
    path: '/account/withdrawals/:id/process',
    permission: 'account:write',
    summary: 'Record that the transfer of a withdrawal is under way.',
    description:
      'The withdrawal can then be completed or fail, but no longer be cancelled. No event is sent.',
    params: WithdrawalPath,
    body: Processing,
    example: { reference: 'Transfer 4712' },
    response: OneWithdrawal,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'account.process_withdrawal', object: 'withdrawal' },
    handle: async ({ context, params, body }) => ({
      withdrawal: await processWithdrawal(context, params.id, body.reference),
    }),
  }),
  endpoint({
    id: 'account.complete_withdrawal',
    method: 'POST',
    path: '/account/withdrawals/:id/complete',
    permission: 'account:write',
    summary: 'Record that a withdrawal was sent.',
    description: 'The event `withdrawal.completed` is sent.',
    params: WithdrawalPath,
    body: Completion,
    example: { reference: 'Transfer 4712' },
    response: OneWithdrawal,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'account.complete_withdrawal', object: 'withdrawal' },
    handle: async ({ context, params, body }) => ({
      withdrawal: await completeWithdrawal(context, params.id, body.reference),
    }),
  }),
  endpoint({
    id: 'account.fail_withdrawal',
    method: 'POST',
    path: '/account/withdrawals/:id/fail',
    permission: 'account:write',
    summary: 'Record that a withdrawal failed.',
    description: 'The amount of the withdrawal is available again.',
    params: WithdrawalPath,
    body: Failure,
    example: { reason: 'The bank refused the account number.' },
    response: OneWithdrawal,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'account.fail_withdrawal', object: 'withdrawal' },
    handle: async ({ context, params, body }) => ({
      withdrawal: await failWithdrawal(context, params.id, body.reason),
    }),
  }),
  endpoint({
    id: 'account.cancel_withdrawal',
    method: 'POST',
    path: '/account/withdrawals/:id/cancel',
    permission: 'account:write',
    summary: 'Cancel a withdrawal that is `pending`.',
    description: 'The amount of the withdrawal is available again.',
    params: WithdrawalPath,
    response: OneWithdrawal,
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'account.cancel_withdrawal', object: 'withdrawal' },
    handle: async ({ context, params }) => ({
      withdrawal: await cancelWithdrawal(context, params.id),
    }),
  }),
]
