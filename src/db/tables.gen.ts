// Written by `npm run db:types` from the migrated schema. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** A JSON column. It is read as a value, whose type the shapes define, and written as text. */
type Json = ColumnType<any, string, string>
type DefaultedJson = ColumnType<any, string | undefined, string>
type NullableJson = ColumnType<any, string | null, string | null>

export interface Tables {
  account: {
    id: Generated<number>
    name: string
    created_at: string
  }
  affiliate_adjustment: {
    store_id: number
    id: Generated<number>
    partner_id: string
    order_id: string
    amount_cents: number
    payout_id: number | null
    created_at: string
  }
  affiliate_conversion: {
    store_id: number
    id: Generated<number>
    order_id: string
    partner_id: string
    link_code: string
    source: string
    status: string
    flags: string[]
    note: string | null
    percent: number | null
    base_cents: Generated<number>
    commission_cents: Generated<number>
    adjusted_cents: Generated<number>
    state: Generated<string>
    payout_id: number | null
    captured_at: string
    paid_at: string
    available_at: string | null
  }
  affiliate_link: {
    store_id: number
    code: string
    partner_id: string
    clicks: Generated<number>
    created_at: string
  }
  affiliate_partner: {
    store_id: number
    id: string
    email: string
    name: string | null
    note: string | null
    status: string
    commission_percent: number | null
    applied_ip: string | null
    valid_count: Generated<number>
    flagged_count: Generated<number>
    rejected_count: Generated<number>
    earned_cents: Generated<number>
    paid_cents: Generated<number>
    created_at: string
    updated_at: string
    unpaid_cents: Generated<number>
    flagged_cents: Generated<number>
    adjusted_cents: Generated<number>
    folded: string | null
  }
  affiliate_payout: {
    store_id: number
    id: Generated<number>
    partner_id: string
    amount_cents: number
    currency: string
    status: string
    method: string | null
    destination: string | null
    reference: string | null
    note: string | null
    requested_at: string
    sent_at: string | null
  }
  affiliate_program: {
    store_id: number
    commission_percent: number
    hold_days: number
    cookie_days: number
    min_payout_cents: number
    auto_approve: boolean
    public_signup: boolean
    customer_discount_percent: number
    landing_url: string | null
  }
  api_call: {
    store_id: number
    request_id: string
    created_at: string
    api_key_id: number
    api: string
    operation: string | null
    method: string
    path: string
    status: number
    error_code: string | null
    duration_ms: number
    address: string
    details_enc: Buffer
  }
  api_key: {
    id: Generated<number>
    account_id: number
    kind: string
    livemode: boolean
    hash: Buffer
    last4: string
    name: string
    permissions: string[]
    allowed_ips: Generated<string[]>
    store_ids: number[] | null
    rate_limit: Generated<number>
    expires_at: string | null
    last_used_at: string | null
    revoked_at: string | null
    created_at: string
  }
  api_key_use: {
    store_id: number
    api_key_id: number
    day: string
    operation: string
    permission: string
    calls: number
    refused: number
    last_used_at: string
  }
  audit_event: {
    store_id: number
    id: Generated<number>
    action: string
    record_type: string | null
    record_id: number | null
    actor_key_id: number | null
    ip: string | null
    before_hash: string | null
    after_hash: string | null
    created_at: string
    actor_type: string
    actor_id: string | null
    actor_name: string | null
    request_id: string | null
    object: string
    object_id: string | null
    changes: DefaultedJson
  }
  auto_review_cursor: {
    store_id: number
    completed_at: string
    order_id: string
    failures: Generated<number>
    retry_at: string | null
  }
  backup_record: {
    id: Generated<number>
    file: string
    bytes: number
    sha256: string
    made_at: string
  }
  balance_entry: {
    store_id: number
    id: Generated<number>
    customer_id: number
    amount_cents: number
    balance_cents: number
    reason: string
    order_id: string | null
    created_at: string
  }
  blob: {
    store_id: number
    id: string
    uses: Generated<number>
    remove_at: string | null
    created_at: Generated<string>
  }
  blocklist_entry: {
    store_id: number
    id: Generated<number>
    type: string
    value: string
    reason: string | null
    hits: Generated<number>
    customer_id: number | null
    created_at: string
    updated_at: string
    range: Generated<string | null>
  }
  bundle_item: {
    store_id: number
    product_id: number
    position: number
    variant_id: number
    quantity: number
  }
  category: {
    store_id: number
    id: Generated<number>
    name: string
    icon: string | null
    slug: string
    description: string | null
    image_url: string | null
    visibility: string
    position: number
    product_count: Generated<number>
    created_at: string
    updated_at: string
  }
  client_app: {
    store_id: number
    id: Generated<number>
    public_id: string
    name: string
    is_default: boolean
    status: string
    min_version: string | null
    latest_version: string | null
    download_url: string | null
    allowed_checksums: string[]
    session_ttl_seconds: number
    heartbeat_seconds: number
    grace_seconds: number
    device_policy: Json
    allow_public_session: boolean
    rate_limits: Json
    report_rules: Json
    config_version: Generated<number>
    created_at: string
    updated_at: string
  }
  client_proof: {
    store_id: number
    device_id: number
    nonce: Buffer
    expires_at: string
  }
  client_report: {
    store_id: number
    id: Generated<number>
    app_id: number
    key_id: number | null
    device_id: number | null
    session_id: number
    kind: string
    detail: string
    action: string
    created_at: string
  }
  client_session: {
    store_id: number
    id: Generated<number>
    app_id: number
    key_id: number | null
    device_id: number | null
    token_hash: Buffer
    app_version: string | null
    started_at: string
    last_heartbeat_at: string
    lease_expires_at: string
    expires_at: string
    ended_at: string | null
    ended_reason: string | null
  }
  client_signing_key: {
    store_id: number
    id: Generated<number>
    app_id: number
    kid: string
    public_key: Buffer
    private_enc: Buffer
    not_before: string
    not_after: string | null
    created_at: string
  }
  coupon: {
    store_id: number
    id: Generated<number>
    code: string
    type: string
    discount_percent: number | null
    amount_cents: number | null
    max_uses: number | null
    max_uses_per_customer: number | null
    uses: Generated<number>
    min_order_cents: number | null
    starts_at: string | null
    expires_at: string | null
    product_ids: string[]
    variant_ids: number[]
    category_ids: number[]
    payment_methods: string[]
    allowed_emails: string[]
    applies_to_renewals: boolean
    active: boolean
    note: string | null
    created_at: string
    updated_at: string
    affiliate_partner_id: string | null
    given_cents: Generated<number>
  }
  coupon_use: {
    store_id: number
    coupon_id: number
    order_id: string
    customer_id: number
    live: Generated<boolean>
    discount_cents: Generated<number>
  }
  customer: {
    store_id: number
    id: Generated<number>
    email: string
    name: string | null
    country: string | null
    balance_cents: Generated<number>
    orders_count: Generated<number>
    total_spent_cents: Generated<number>
    first_order_at: string | null
    last_order_at: string | null
    blocked_at: string | null
    note: string | null
    tags: Generated<string[]>
    marketing_opt_in: Generated<boolean>
    affiliate_partner_id: string | null
    metadata: DefaultedJson
    created_at: string
    updated_at: string
    erased_at: string | null
    folded: string | null
  }
  customer_merge: {
    store_id: number
    merged_id: number
    customer_id: number
    email: string | null
    name: string | null
    merged_at: string
  }
  customer_search: {
    store_id: number
    customer_id: number
    runs: number[]
  }
  dashboard_user: {
    id: Generated<number>
    email: string
    name: string
    password_hash: string | null
    totp_secret_enc: Buffer | null
    totp_enabled_at: string | null
    totp_last_step: Generated<number>
    recovery_hashes: Generated<Buffer[]>
    created_at: string
  }
  delivery: {
    store_id: number
    id: Generated<number>
    order_id: string
    order_item_id: number
    product_id: number
    product_hash: string
    variant_id: number
    type: string
    status: string
    text_enc: Buffer | null
    error: string | null
    attempts: Generated<number>
    delivered_at: string | null
    created_at: string
  }
  delivery_key: {
    store_id: number
    delivery_id: number
    stock_key_id: number
    live: Generated<boolean>
  }
  demo_shop: {
    store_id: number
    seed: number
    state: string
    claimed_until: string | null
  }
  device: {
    store_id: number
    id: Generated<number>
    app_id: number
    key_id: number
    fingerprint_hash: Buffer
    components: Json
    public_key: Buffer | null
    public_key_thumbprint: string | null
    name: string | null
    platform: string | null
    status: string
    first_seen_at: string
    last_seen_at: string
    license_file_seq: Generated<number>
  }
  device_ban: {
    store_id: number
    id: Generated<number>
    app_id: number
    fingerprint_hash: Buffer | null
    ip_cidr: string | null
    reason: string
    expires_at: string | null
    key_id: number | null
    created_at: string
  }
  dynamic_call: {
    store_id: number
    delivery_id: number
    attempts: Generated<number>
    due_at: string
    lease_until: string | null
  }
  event: {
    store_id: number
    no: number
    tag: number
    type: string
    object_id: string
    test: Generated<boolean>
    payload_enc: Buffer
    created_at: string
  }
  fulfillment: {
    store_id: number
    id: Generated<number>
    order_id: string
    status: string
    shipment_status: string | null
    location_id: number | null
    carrier_code: string
    tracking_number: string | null
    tracking_url: string | null
    shipped_at: string | null
    delivered_at: string | null
    created_at: string
    updated_at: string
  }
  fulfillment_item: {
    store_id: number
    fulfillment_id: number
    order_item_id: number
    quantity: number
  }
  grouped_product: {
    store_id: number
    product_id: number
    group_id: number
    position: number
  }
  idempotent_answer: {
    store_id: number
    api_key_id: number
    key: string
    request_hash: Buffer
    running_until: string | null
    status: number | null
    body_enc: Buffer | null
    created_at: string
    lease_token: string | null
  }
  installation_secret: {
    name: string
    value_enc: Buffer
  }
  license_key: {
    store_id: number
    id: Generated<number>
    app_id: number
    key_hmac: Buffer
    key_enc: Buffer
    key_preview: string
    ban_reason: string | null
    public_ban_reason: string | null
    banned_at: string | null
    ban_expires_at: string | null
    banned_by: number | null
    suspended_at: string | null
    suspend_reason: string | null
    level: number
    entitlements: string[]
    duration_seconds: number | null
    expiry_basis: string
    expires_at: string | null
    max_devices: number | null
    devices_count: Generated<number>
    max_sessions: number | null
    device_resets_left: number | null
    reset_cooldown_seconds: number
    last_reset_at: string | null
    note: string | null
    metadata: Json
    product_hash: string | null
    variant_id: number | null
    order_id: string | null
    order_item_id: number | null
    subscription_id: number | null
    customer_email: string | null
    first_activated_at: string | null
    last_validated_at: string | null
    created_at: string
    updated_at: string
    max_device_changes: number | null
    device_changes: Generated<string[]>
    ban_before_hold: NullableJson
  }
  license_key_tombstone: {
    store_id: number
    app_id: number
    key_hmac: Buffer
    created_at: string
  }
  license_policy: {
    store_id: number
    variant_id: number
    app_id: number
    prefix: string | null
    level: number
    entitlements: string[]
    duration_seconds: number | null
    expiry_basis: string
    max_devices: number | null
    max_sessions: number | null
    device_resets_left: number | null
    reset_cooldown_seconds: number
    updated_at: string
    max_device_changes: number | null
  }
  location: {
    store_id: number
    id: Generated<number>
    name: string
    line1: string
    line2: string | null
    city: string
    region: string | null
    postal_code: string | null
    country: string
    phone: string | null
    active: boolean
    is_default: boolean
  }
  mail: {
    store_id: number
    id: Generated<number>
    message: string
    content_enc: Buffer | null
    recipient: string
    status: string
    attempts: Generated<number>
    due_at: string
    error: string | null
    created_at: string
    subject: string | null
    sent_at: string | null
    template: string | null
    order_id: string | null
    cause: string | null
    bounced_at: string | null
  }
  mail_sender: {
    one: Generated<boolean>
    seen_at: string
  }
  mail_template: {
    store_id: number
    template: string
    language: string
    subject: string
    body_text: string
    updated_at: string
  }
  method_removal: {
    store_id: number
    id: Generated<number>
    provider: string
    external_id: string
    attempts: Generated<number>
    due_at: string
  }
  migration: {
    name: string
    digest: string | null
  }
  order: {
    store_id: number
    id: string
    number: number
    status: string
    refund_status: Generated<string>
    fulfillment_status: string
    source: string
    currency: string
    subtotal_cents: number
    discount_cents: number
    shipping_cents: number
    total_cents: number
    paid_cents: Generated<number>
    refunded_cents: Generated<number>
    payment_method: string | null
    customer_id: number
    customer_email: string
    customer_name: string | null
    customer_country: string | null
    coupon: NullableJson
    affiliate: NullableJson
    shipping_address: NullableJson
    shipping: NullableJson
    custom_fields: Json
    metadata: Json
    note: string | null
    ip: string | null
    user_agent: string | null
    return_url: string | null
    status_history: Json
    expires_at: string | null
    paid_at: string | null
    completed_at: string | null
    cancelled_at: string | null
    created_at: string
    updated_at: string
    recurring: string | null
    folded_email: string | null
    hold: NullableJson
    link_version: Generated<number>
    language: Generated<string>
    by_user: Generated<boolean>
  }
  order_counter: {
    store_id: number
    last_number: Generated<number>
  }
  order_expiry_retry: {
    store_id: number
    order_id: string
    failures: number
    retry_at: string
  }
  order_item: {
    store_id: number
    id: Generated<number>
    order_id: string
    product_id: number
    product_hash: string
    variant_id: number
    name: string
    variant_name: string
    sku: string | null
    delivery_type: string
    quantity: number
    reserved: number
    unit_price_cents: number
    discount_cents: number
    total_cents: number
    served: Generated<boolean>
    restocked: Generated<number>
    bundle_product_id: number | null
    bundle_hash: string | null
    bundle_name: string | null
    bundle_units: number | null
    owed: Generated<number>
    cancelled: Generated<number>
  }
  order_return: {
    store_id: number
    id: Generated<number>
    number: number
    order_id: string
    customer_email: string
    status: string
    refund_amount_cents: number | null
    refund_id: number | null
    tracking_number: string | null
    carrier_code: string | null
    rejection_note: string | null
    requested_at: string
    approved_at: string | null
    received_at: string | null
    closed_at: string | null
    created_at: string
    updated_at: string
  }
  order_return_item: {
    store_id: number
    return_id: number
    order_item_id: number
    quantity: number
    received_quantity: Generated<number>
    damaged_quantity: Generated<number>
    reason: string
    note: string | null
  }
  order_search: {
    store_id: number
    order_id: string
    runs: number[]
  }
  payment: {
    store_id: number
    id: Generated<number>
    order_id: string
    kind: string
    status: string
    amount_cents: number
    currency: string
    reference: string | null
    proof_text: string | null
    proof_url: string | null
    note: string | null
    reviewed_at: string | null
    created_at: string
    actor: NullableJson
    reviewed_by: NullableJson
    provider: string | null
    external_id: string | null
    checkout_url: string | null
    return_url: string | null
    expires_at: string | null
    failure: NullableJson
    check_at: string | null
    checks: Generated<number>
    processing_since: string | null
    ending_since: string | null
    refunded_cents: number | null
    transaction_id: string | null
    end_failed_at: string | null
    dispute: NullableJson
    review_reason: string | null
    fee_cents: number | null
    fee_currency: string | null
    saves_method: Generated<boolean>
    saved_method: string | null
    provider_customer: string | null
  }
  payment_callback: {
    store_id: number
    id: Generated<number>
    provider: string
    external_id: string
    type: string
    status: string
    names: Json
    order_id: string | null
    payment_id: number | null
    attempts: Generated<number>
    error: string | null
    received_at: string
    applied_at: string | null
    retry_at: string | null
  }
  payment_method: {
    store_id: number
    id: Generated<number>
    customer_id: number
    provider: string
    external_id: string
    provider_customer: string | null
    label: string
    last4: string | null
    expires: string | null
    is_default: boolean
    created_at: string
  }
  payment_provider: {
    store_id: number
    provider: string
    last_checked_at: string | null
    last_callback_at: string | null
    last_error: string | null
    credentials_enc: Buffer | null
    account: string | null
    status: Generated<string>
  }
  product: {
    store_id: number
    id: Generated<number>
    hash_id: string
    name: string
    slug: string
    type: string
    product_kind: string
    status: string
    active: boolean
    visibility: string
    price_cents: number
    discount_percent: number
    currency: string
    accepts_coupons: boolean
    min_qty: number
    max_qty: number | null
    sell_limit: number | null
    requires_shipping: boolean
    sku: string | null
    delivery_note: string | null
    best_seller: boolean
    metadata: Json
    stock_alert_threshold: number | null
    methods: Json
    created_at: string
    updated_at: string
    deleted_at: string | null
    folded: string | null
    grams: Generated<string[]>
  }
  product_billing: {
    store_id: number
    product_id: number
    billing_cycle: string
    trial_days: number
    recurring_price_cents: number | null
    created_at: string
    updated_at: string
  }
  product_category: {
    store_id: number
    product_id: number
    category_id: number
  }
  product_content: {
    store_id: number
    product_id: number
    short_description: string | null
    description_html: string | null
    youtube_url: string | null
    delivered_message: string | null
    highlights: Json
    meta_title: string | null
    meta_description: string | null
    og_title: string | null
    og_description: string | null
    og_image_url: string | null
  }
  product_file: {
    store_id: number
    id: Generated<number>
    product_id: number
    variant_id: number | null
    blob_id: string
    name: string
    size_bytes: number
    mime_type: string
    sha256: string
    created_at: string
  }
  product_group: {
    store_id: number
    id: Generated<number>
    name: string
    slug: string
    description: string | null
    image_url: string | null
    visibility: string
    position: number
    created_at: string
    updated_at: string
  }
  product_media: {
    store_id: number
    id: Generated<number>
    product_id: number
    kind: string
    url: string
    position: number
    is_main: boolean
    meta: DefaultedJson
    created_at: string
    blob_id: string | null
  }
  product_stock: {
    store_id: number
    product_id: number
    sold: Generated<number>
    sellable: Generated<number>
    in_stock: Generated<boolean>
  }
  product_tally: {
    store_id: number
    status: string
    visibility: string
    active: boolean
    type: string
    product_kind: string
    part: number
    products: number
  }
  question: {
    store_id: number
    id: Generated<number>
    product_id: number
    customer_email: string
    customer_name: string | null
    body: string
    status: string
    answers: Generated<number>
    answered_at: string | null
    created_at: string
  }
  question_answer: {
    store_id: number
    id: Generated<number>
    question_id: number
    author: string
    body: string
    created_at: string
  }
  record_read: {
    store_id: number
    kind: string
    record_id: number
    key_id: number
    device_id: number | null
    reads: number
    last_at: string
  }
  refund: {
    store_id: number
    id: Generated<number>
    order_id: string
    amount_cents: number
    currency: string
    reason: string
    note: string | null
    restock: boolean
    created_at: string
    actor: NullableJson
    of_sale: Generated<boolean>
    items: DefaultedJson
    payment_id: number | null
    external_id: string | null
    return_id: number | null
    source: Generated<string>
    failure: NullableJson
  }
  refund_request: {
    store_id: number
    id: Generated<number>
    order_id: string
    payment_id: number
    status: string
    amount_cents: number
    currency: string
    reason: string
    note: string | null
    restock: boolean
    items: Json
    return_id: number | null
    external_id: string | null
    failure: NullableJson
    actor: NullableJson
    checks: Generated<number>
    check_at: string | null
    created_at: string
  }
  remote_setting: {
    store_id: number
    id: Generated<number>
    app_id: number
    key: string
    type: string
    value: string
    default_value: string | null
    constraints: string
    status: string
    access: string
    min_level: number
    description: string | null
    version: number
    created_at: string
    updated_at: string
  }
  remote_setting_version: {
    store_id: number
    setting_id: number
    version: number
    type: string
    value: string
    default_value: string | null
    constraints: string
    status: string
    access: string
    min_level: number
    description: string | null
    actor_key_id: number | null
    created_at: string
    actor_name: string | null
  }
  renewal_retry: {
    store_id: number
    subscription_id: number
    failures: number
    retry_at: string
  }
  return_counter: {
    store_id: number
    last_number: number
  }
  return_photo: {
    store_id: number
    id: Generated<number>
    return_id: number
    blob_id: string
    extension: string
    size_bytes: number
    created_at: string
  }
  review: {
    store_id: number
    id: Generated<number>
    order_id: string
    product_id: number
    customer_email: string
    rating: number
    message: string | null
    automatic: boolean
    status: string
    reply: string | null
    replied_at: string | null
    created_at: string
    updated_at: string
  }
  review_tally: {
    store_id: number
    product_id: number
    rating: number
    reviews: number
  }
  sales_day: {
    store_id: number
    day: string
    created: number
    converted: number
    completed: number
    orders: number
    units: number
    gross_cents: number
    discount_cents: number
    shipping_cents: number
    refunded_cents: number
    new_customers: number
  }
  sales_day_part: {
    store_id: number
    day: string
    kind: string
    name: string
    orders: number
    gross_cents: number
  }
  sales_delta: {
    id: Generated<number>
    store_id: number
    at: string
    created: Generated<number>
    completed_of: string | null
    order_id: string | null
    units: Generated<number>
    gross_cents: Generated<number>
    discount_cents: Generated<number>
    shipping_cents: Generated<number>
    payment_method: string | null
    country: string | null
    refunded_cents: Generated<number>
    new_customers: Generated<number>
  }
  sales_product: {
    store_id: number
    product_id: number
    gross_cents: number
  }
  sales_product_day: {
    store_id: number
    product_id: number
    day: string
    units: number
    gross_cents: number
  }
  sales_quarter: {
    store_id: number
    quarter: string
    created: Generated<number>
    converted: Generated<number>
    completed: Generated<number>
    orders: Generated<number>
    units: Generated<number>
    gross_cents: Generated<number>
    discount_cents: Generated<number>
    shipping_cents: Generated<number>
    refunded_cents: Generated<number>
    new_customers: Generated<number>
  }
  saved_reply: {
    store_id: number
    id: Generated<number>
    name: string
    body: string
    created_at: string
    updated_at: string
  }
  saved_view: {
    store_id: number
    id: Generated<number>
    user_id: number
    page: string
    name: string
    query: string
    created_at: string
    updated_at: string
  }
  secrets_key: {
    kid: string
    created_at: Generated<string>
  }
  serverside_file: {
    store_id: number
    id: Generated<number>
    app_id: number
    name: string
    filename: string
    status: string
    upload_state: string
    size_bytes: number
    sha256: string
    content_type: string
    access: string
    min_level: number
    storage: string
    blob_id: string
    version: number
    download_count: Generated<number>
    last_downloaded_at: string | null
    delete_due_at: string | null
    delete_attempts: Generated<number>
    created_at: string
    updated_at: string
  }
  serverside_file_version: {
    store_id: number
    file_id: number
    version: number
    filename: string
    content_type: string
    size_bytes: number
    sha256: string
    storage: string
    blob_id: string
    replaced_at: string
    actor_key_id: number | null
    actor_name: string | null
  }
  serverside_string: {
    store_id: number
    id: Generated<number>
    app_id: number
    name: string
    status: string
    value_enc: Buffer
    value_bytes: number
    access: string
    min_level: number
    description: string | null
    version: number
    fetch_count: Generated<number>
    last_fetched_at: string | null
    created_at: string
    updated_at: string
  }
  serverside_string_version: {
    store_id: number
    string_id: number
    version: number
    name: string
    status: string
    value_enc: Buffer
    access: string
    min_level: number
    description: string | null
    created_at: string
  }
  shipping_rate: {
    store_id: number
    id: Generated<number>
    zone_id: number
    position: number
    name: string
    description: string | null
    carrier_code: string
    calc_type: string
    price_cents: number
    tiers: Json
    volumetric_divisor: number | null
    free_over_cents: number | null
    min_days: number | null
    max_days: number | null
    active: boolean
  }
  shipping_zone: {
    store_id: number
    id: Generated<number>
    name: string
    countries: string[]
    regions: Json
    active: boolean
    position: number
  }
  sign_in_budget: {
    name_hash: Buffer
    tries: number
    resets_at: string
  }
  stock: {
    store_id: number
    variant_id: number
    on_hand: Generated<number>
    reserved: Generated<number>
    sold: Generated<number>
    mode_changes: Generated<number>
    owed: Generated<number>
    available: Generated<number>
  }
  stock_alert: {
    store_id: number
    id: Generated<number>
    product_id: number
    variant_id: number | null
    email: string
    status: string
    notified_at: string | null
    created_at: string
  }
  stock_alert_due: {
    store_id: number
    id: Generated<number>
    product_id: number
    due_at: string
  }
  stock_key: {
    store_id: number
    id: Generated<number>
    variant_id: number
    value_enc: Buffer
    value_hmac: Buffer
    status: string
    order_id: string | null
    sold_at: string | null
    created_at: string
    import_id: string | null
  }
  stock_key_batch: {
    store_id: number
    variant_id: number
    import_id: string
    added_at: string
    last_id: number
    count: number
    available: number
    sold: number
  }
  store: {
    id: Generated<number>
    account_id: number
    hash: string
    slug: string
    name: string
    livemode: boolean
    currency: string
    plan: string
    features: DefaultedJson
    settings: DefaultedJson
    clock_offset_ms: Generated<number>
    quota_month: Generated<string>
    quota_used: Generated<number>
    created_at: string
    auto_review_days: number | null
    return_window_days: Generated<number>
    order_expiry_minutes: Generated<number>
    time_zone: Generated<string>
    return_address: NullableJson
    support_email: string | null
    payment_providers: Generated<string[]>
    mail_from_name: string | null
    language: Generated<string>
    mail_api_orders: Generated<boolean>
  }
  store_role: {
    store_id: number
    user_id: number
    role: string
    created_at: string
  }
  subscription: {
    store_id: number
    id: Generated<number>
    status: string
    customer_id: number
    product_id: number
    variant_id: number
    initial_invoice_id: string
    order_item_id: number
    quantity: number
    unit_price_cents: number
    discount_cents: number
    discount_percent: number
    initial_price_cents: number
    billing_cycle: string
    trial_days: number
    currency: string
    payment_method: string | null
    auto_renew: Generated<boolean>
    started_at: string | null
    trial_ends_at: string | null
    anchor_at: string | null
    periods: Generated<number>
    current_period_start: string | null
    current_period_end: string | null
    renewals_count: Generated<number>
    last_invoice_id: string
    open_invoice_id: string | null
    billed_at: string | null
    retries: Generated<number>
    due_at: string | null
    cancelled_at: string | null
    created_at: string
    updated_at: string
    on_hold: Generated<boolean>
    noticed_due_at: string | null
  }
  subscription_payment: {
    store_id: number
    id: Generated<number>
    subscription_id: number
    order_id: string
    amount_cents: number
    status: string
    period_start: string | null
    period_end: string | null
    paid_at: string | null
    created_at: string
  }
  test_payment: {
    store_id: number
    payment_id: number
    token: string
    status: string
    amount_cents: number
    received_cents: Generated<number>
    currency: string
    return_url: string | null
    expires_at: string
    callback_at: string | null
    callback: string | null
    created_at: string
    dispute: NullableJson
  }
  test_refund: {
    store_id: number
    id: string
    payment_id: number
    refund_id: number | null
    amount_cents: number
    created_at: string
  }
  ticket: {
    store_id: number
    id: Generated<number>
    customer_email: string
    order_id: string | null
    subject: string
    status: string
    awaiting: string | null
    message_count: number
    last_message_at: string
    closed_at: string | null
    created_at: string
    updated_at: string
  }
  ticket_message: {
    store_id: number
    id: Generated<number>
    ticket_id: number
    author: string
    body: string
    created_at: string
  }
  ticket_tally: {
    store_id: number
    status: string
    awaiting: string
    tickets: number
  }
  used_challenge: {
    challenge_hash: Buffer
    expires_at: string
  }
  user_invitation: {
    store_id: number
    id: Generated<number>
    email: string
    role: string
    token_hash: Buffer
    invited_by: number | null
    created_at: string
    expires_at: string
  }
  user_passkey: {
    id: Generated<number>
    user_id: number
    credential_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    backed_up: boolean
    name: string
    created_at: string
    last_used_at: string | null
  }
  user_session: {
    id: Generated<number>
    user_id: number
    token_hash: Buffer
    created_at: string
    seen_at: string
    stepped_up_at: string | null
    resets_password: Generated<boolean>
    address: string
    user_agent: string
  }
  user_token: {
    token_hash: Buffer
    user_id: number
    kind: string
    created_at: string
    expires_at: string
    email: string | null
    keeps_factors: Generated<boolean>
  }
  variant: {
    store_id: number
    id: Generated<number>
    product_id: number
    name: string
    slug: string
    delivery_type: string
    price_cents: number
    discount_percent: number
    compare_at_cents: number | null
    is_default: boolean
    active: boolean
    sort_order: number
    image_url: string | null
    stock_mode: string
    sku: string | null
    barcode: string | null
    weight_grams: number | null
    track_inventory: boolean
    allow_backorder: boolean
    low_stock_threshold: number | null
    option_values: Generated<string[]>
    mode_changes: Generated<number>
    length_cm: number | null
    width_cm: number | null
    height_cm: number | null
    created_at: string
    updated_at: string
    deleted_at: string | null
  }
  variant_dynamic: {
    store_id: number
    variant_id: number
    url: string
    secret_enc: Buffer
    created_at: string
    updated_at: string
  }
  wallet: {
    store_id: number
    paid_cents: Generated<number>
    refunded_cents: Generated<number>
    pending_cents: Generated<number>
    withdrawn_cents: Generated<number>
  }
  wallet_delta: {
    store_id: number
    id: Generated<number>
    paid_cents: number
    refunded_cents: number
  }
  webhook_attempt: {
    store_id: number
    delivery_id: number
    attempt: number
    status_code: number | null
    error: string | null
    duration_ms: number | null
    response_body: string | null
    manual: boolean
    worker_lost: boolean
    created_at: string
    signed_at: string | null
  }
  webhook_delivery: {
    store_id: number
    id: number
    endpoint_id: number
    status: string
    attempts: number
    next_attempt_at: string | null
    attempted_at: string | null
    status_code: number | null
    error: string | null
    duration_ms: number | null
    response_body: string | null
    manual: Generated<boolean>
    worker_lost: Generated<boolean>
    created_at: string
    updated_at: string
    signed_at: string | null
  }
  webhook_endpoint: {
    store_id: number
    id: Generated<number>
    public_id: string
    url: string
    description: string | null
    events: string[]
    enabled: boolean
    secret_enc: Buffer
    prev_secret_enc: Buffer | null
    prev_secret_until: string | null
    standard_headers: Generated<boolean>
    listening_until: string | null
    moving: Generated<boolean>
    failures_in_row: Generated<number>
    last_success_at: string | null
    disabled_at: string | null
    disabled_reason: string | null
    deleted_at: string | null
    created_at: string
    updated_at: string
    secret_from: string | null
  }
  webhook_fanout: {
    store_id: number
    no: number
    endpoint_ids: number[]
    lease_token: Generated<number>
    lease_until: Generated<string>
  }
  webhook_retry: {
    store_id: number
    delivery_id: number
    endpoint_id: number
    step: number
    lost: Generated<number>
    due_at: string
    lease_token: Generated<number>
    by_hand: Generated<boolean>
    resume_at: string | null
  }
  webhook_stat_delta: {
    id: Generated<number>
    store_id: number[]
    endpoint_id: number[]
    hour: string[]
    succeeded: number[]
    failed: number[]
    duration_ms: number[]
    last_at: string[]
  }
  webhook_stat_hour: {
    store_id: number
    endpoint_id: number
    hour: string
    succeeded: number
    failed: number
    duration_ms: number
    last_at: string
  }
  webhook_worker: {
    id: string
    store_ids: number[]
    endpoint_ids: number[]
    slots: number[]
    held_until: string
  }
  withdrawal: {
    store_id: number
    id: Generated<number>
    amount_cents: number
    fee_cents: number
    currency: string
    method: string
    address: string
    status: string
    reference: string | null
    failure_reason: string | null
    created_at: string
    completed_at: string | null
    returned_at: string | null
  }
}
