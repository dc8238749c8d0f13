-- A link that changes the email address of its user. `email` is the new address.
alter table user_token
  add column email text collate "C",
  drop constraint user_token_kind_check,
  add constraint user_token_kind_check check (kind in ('sign_in', 'reset', 'mail_reset', 'email')),
  add constraint user_token_email_check check ((email is not null) = (kind = 'email'));
