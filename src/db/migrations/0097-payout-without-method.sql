-- A payout may be requested without a method.
alter table affiliate_payout
  alter column method drop not null;
