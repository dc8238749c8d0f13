-- True if the reset link leaves the codes of its user turned on.
alter table user_token
  add column keeps_factors boolean not null default false,
  add constraint user_token_keeps_factors_check check (not keeps_factors or kind = 'reset');

-- An invitation ends when its author may no longer give its role (decision 172).
delete from user_invitation i
 where i.invited_by is not null
   and not exists (
     select from store_role r
      where r.store_id = i.store_id and r.user_id = i.invited_by
        and (r.role = 'owner' or (r.role = 'admin' and i.role <> 'owner')));
