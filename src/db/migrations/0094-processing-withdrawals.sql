-- A withdrawal that is processing may have a reference, and keeps it if it fails.
alter table withdrawal
  drop constraint withdrawal_check1,
  add constraint withdrawal_reference_check
    check (reference is null or status in ('processing', 'completed', 'failed')) not valid;
