/**
 * The folder of `src/` that owns each table: only its code writes there. Others call its functions. A test
 * reads the SQL of the source and fails on any other write.
 */
export const OWNED_TABLES: Readonly<Record<string, readonly string[]>> = {
  audit: ['audit_event'],
  db: ['migration'],
  events: ['event'],
  'features/installation/api-keys': ['api_key'],
  'features/installation/blobs': ['blob'],
  'features/installation/mail': ['mail', 'mail_sender'],
  'features/installation/request-log': ['api_call', 'api_key_use'],
  'features/installation/saved-views': ['saved_view'],
  'features/installation/secrets': ['installation_secret', 'secrets_key'],
  'features/installation/stores': ['account', 'store'],
  'features/installation/users': [
    'dashboard_user',
    'sign_in_budget',
    'store_role',
    'user_invitation',
    'user_session',
    'user_token',
  ],
  'features/licensing/apps': ['client_app', 'client_signing_key'],
  'features/licensing/devices': ['device_ban'],
  'features/licensing/files': ['serverside_file'],
  'features/licensing/keys': ['license_key', 'license_key_tombstone', 'license_policy'],
  'features/licensing/reports': ['client_report'],
  'features/licensing/sessions': ['client_proof', 'client_session', 'device'],
  'features/licensing/settings': ['remote_setting', 'remote_setting_version'],
  'features/licensing/strings': ['serverside_string'],
  'features/store/affiliates': [
    'affiliate_adjustment',
    'affiliate_conversion',
    'affiliate_link',
    'affiliate_partner',
    'affiliate_payout',
    'affiliate_program',
  ],
  'features/store/analytics': [
    'sales_day_part',
    'sales_delta',
    'sales_product',
    'sales_product_day',
    'sales_quarter',
  ],
  'features/store/blocklist': ['blocklist_entry'],
  'features/store/categories': ['category', 'grouped_product', 'product_category', 'product_group'],
  'features/store/content': ['product_file', 'product_media'],
  'features/store/coupons': ['coupon', 'coupon_use'],
  'features/store/customers': ['balance_entry', 'customer', 'customer_merge', 'customer_search'],
  'features/store/dynamic': ['variant_dynamic'],
  'features/store/fulfillment': ['fulfillment', 'fulfillment_item'],
  'features/store/orders': [
    'delivery',
    'delivery_key',
    'dynamic_call',
    'order',
    'order_counter',
    'order_expiry_retry',
    'order_item',
    'order_search',
    'payment',
    'refund',
  ],
  'features/store/products': ['product', 'product_content', 'product_tally', 'variant'],
  'features/store/questions': ['question', 'question_answer'],
  'features/store/returns': ['order_return', 'order_return_item', 'return_counter'],
  'features/store/reviews': ['auto_review_cursor', 'review', 'review_tally'],
  'features/store/shipping': ['location', 'shipping_rate', 'shipping_zone'],
  'features/store/stock': ['product_stock', 'stock', 'stock_key'],
  'features/store/stock-alerts': ['stock_alert', 'stock_alert_due'],
  'features/store/subscriptions': [
    'product_billing',
    'renewal_retry',
    'subscription',
    'subscription_payment',
  ],
  'features/store/tickets': ['ticket', 'ticket_message', 'ticket_tally'],
  'features/store/wallet': ['wallet', 'wallet_delta', 'withdrawal'],
  'features/webhooks': [
    'webhook_attempt',
    'webhook_delivery',
    'webhook_endpoint',
    'webhook_fanout',
    'webhook_retry',
    'webhook_stat_delta',
    'webhook_stat_hour',
    'webhook_worker',
  ],
  http: ['idempotent_answer'],
}

/**
 * Writes from outside the owner's folder, each with its reason. A statement that must change two tables at
 * once, so that it costs no second one, is the usual reason; the list may only become shorter.
 */
export const WRITES_OF_OTHERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  events: {
    webhook_fanout: 'an event and its fan-out are one statement',
  },
  'features/installation/audit': {
    audit_event: 'deletes by age',
  },
  'features/installation/stores': {
    order_counter: 'a store begins with its counters',
  },
  'features/licensing/apps': {
    client_session: 'a switched-off app ends its sessions',
    license_key_tombstone: 'a deleted app leaves nothing behind',
  },
  'features/licensing/devices': {
    client_session: 'a removed device ends its sessions in the same statement',
    device: 'devices are registered by sessions and removed here',
    license_key: 'counts the devices of a key with each change of them',
  },
  'features/licensing/sessions': {
    license_key: 'the first activation starts the term of a key; a validation is noted',
  },
  'features/licensing/settings': {
    client_app: 'a changed setting raises the version of its app',
  },
  'features/store/personal-data': {
    audit_event: 'erasure of a person',
    client_report: 'erasure of a person',
    coupon: 'erasure of a person',
    delivery: 'erasure of a person',
    device: 'erasure of a person',
    event: 'erasure of a person',
    fulfillment: 'erasure of a person',
    idempotent_answer: 'erasure of a person',
    license_key: 'erasure of a person',
    mail: 'erasure of a person',
    order: 'erasure of a person',
    payment: 'erasure of a person',
    refund: 'erasure of a person',
    stock_alert: 'erasure of a person',
    webhook_attempt: 'erasure of a person',
    webhook_delivery: 'erasure of a person',
  },
  'features/store/products': {
    category: 'counts its products with each change of a product',
    product_category: 'the categories of a product are written with it',
    product_media: 'a duplicate has the pictures of its model',
    product_stock: 'counts the stock of a product with its variants',
    stock: 'a variant begins with its stock',
  },
  'features/store/stock': {
    delivery_key: 'a deleted test key leaves its delivery',
    variant: 'counts how often its way of counting stock changed',
  },
  'features/store/stock-alerts': {
    product: 'its threshold for alerts is set by a call of alerts',
  },
  'features/webhooks': {
    event: 'deletes by age, with the deliveries',
  },
}
