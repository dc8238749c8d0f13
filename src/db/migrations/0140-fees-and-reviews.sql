alter table payment
  -- The reason for which a payment that arrived through a provider waits for a review.
  add column review_reason text,
  -- The fee of the provider in the minor units of its currency; null until it is known.
  add column fee_cents bigint,
  add column fee_currency text;
-- A provider is also asked for the fee of a payment that has succeeded.
alter table payment
  drop constraint payment_check,
  add constraint payment_check check ((check_at is null) or status in ('pending', 'processing', 'succeeded', 'disputed'));
