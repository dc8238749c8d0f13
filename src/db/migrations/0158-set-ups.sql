-- A payment of 0 saves a method for renewals and moves no money.
alter table test_payment
  drop constraint test_payment_amount_cents_check,
  add constraint test_payment_amount_cents_check check (amount_cents >= 0) not valid;
