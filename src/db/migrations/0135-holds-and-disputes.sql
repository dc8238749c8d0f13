-- Orders on hold, {reason, since}: nothing of them is delivered, and their subscriptions are not renewed.
alter table "order" add column hold jsonb;
alter table subscription add column on_hold boolean not null default false;
-- The ban of a license key before the hold of its order has banned it; null without a hold.
alter table license_key add column ban_before_hold jsonb;

-- A payment whose buyer disputes it: {id, status, reason, amount_cents, due_at, fee_cents}.
alter table payment
  -- The time since which the provider has not answered that the payment is ended.
  add column end_failed_at timestamptz(3),
  add column dispute jsonb,
  drop constraint payment_status_check,
  add constraint payment_status_check check (status in (
    'pending', 'processing', 'succeeded', 'failed', 'expired', 'cancelled', 'pending_review', 'approved', 'rejected',
    'disputed')),
  add constraint payment_dispute check (dispute is not null or status <> 'disputed');
alter table test_payment add column dispute jsonb;
