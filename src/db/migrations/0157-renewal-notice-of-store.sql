-- outside a transaction
create index concurrently if not exists subscription_notice_of_store on subscription (store_id, (((due_at at time zone 'UTC' - case billing_cycle when 'yearly' then interval '14 days' else interval '3 days' end) at time zone 'UTC')))
 where due_at is not null and auto_renew and not on_hold and status in ('trialing', 'active') and billing_cycle <> 'daily'
   and noticed_due_at is distinct from due_at;
