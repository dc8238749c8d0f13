-- The reason for which the bank of the buyer sent the money of a refund back: {code, message}.
alter table refund add column failure jsonb;
