-- outside a transaction
create index concurrently if not exists affiliate_conversion_held
  on affiliate_conversion (store_id, partner_id, available_at) include (commission_cents)
  where state = 'pending' and status = 'valid';
