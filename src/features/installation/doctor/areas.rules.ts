/** The areas by which `tradepost doctor` groups its checks. */
export const AREAS: Readonly<Record<string, readonly string[]>> = {
  'Orders and payments': [
    'order_events',
    'events_have_orders',
    'paid_is_paid',
    'open_payments_are_checked',
    'reported_money_counts',
    'provider_has_payments',
    'reviews_can_end',
    'refunded_is_refunded',
    'refunds_fit_payments',
    'coupon_uses',
    'orders_are_counted',
    'orders_are_found',
  ],
  'Payment providers': [
    'provider_credentials',
    'provider_clock',
    'callback_address',
    'callbacks_arrive',
    'payments_agree',
    'holds_of_disputes',
  ],
  'Stock and deliveries': [
    'delivered_keys',
    'key_once',
    'stock_counts_keys',
    'batches_count_keys',
    'stock_counts_reservations',
    'ended_orders_hold_nothing',
    'shipped_is_shipped',
    'dynamic_calls',
  ],
  Catalogue: ['products_are_counted', 'categories_are_counted', 'lists_know_stock'],
  Webhooks: ['waiting_deliveries', 'finished_fanouts'],
  Customers: [
    'customer_totals',
    'balances',
    'balance_payments',
    'returned_credit',
    'customers_are_found',
    'blocked_customers',
  ],
  'Reviews, tickets and returns': [
    'reviews_are_counted',
    'reviews_have_orders',
    'answers_are_counted',
    'tickets_are_counted',
    'messages_are_counted',
    'returns_fit_orders',
    'returns_restock_once',
    'returns_are_refunded',
    'returns_are_counted',
  ],
  Subscriptions: [
    'subscription_states',
    'subscription_payments',
    'subscription_periods',
    'holds_stop_renewals',
  ],
  Affiliates: [
    'partner_totals',
    'partner_balances',
    'payout_amounts',
    'commission_states',
    'commission_adjustments',
    'conversions_have_orders',
  ],
  'Sales and wallet': [
    'sales_of_days',
    'sales_of_quarters',
    'sales_of_parts',
    'sales_of_products',
    'refunds_of_sales',
    'wallets_count_orders',
    'wallets_count_withdrawals',
    'withdrawal_events',
  ],
  Team: ['teams_have_both_sides', 'teams_have_owners', 'recovery_codes_need_totp'],
  Installation: ['durable_commits', 'stores', 'files_are_counted', 'stored_files'],
}

const OTHER = 'Other'

/** Checks whose text is shown even if they pass. */
const ALWAYS_SHOWN = ['stores', 'stored_files']

export const areaOf = (check: string): string =>
  Object.entries(AREAS).find(([, checks]) => checks.includes(check))?.[0] ?? OTHER

export const showsDetail = (check: string): boolean => ALWAYS_SHOWN.includes(check)
