-- `total_spent_cents` was cut at 2^53 - 1 when it was written. It is exact now, and cut when it is read (decision 175).
update customer c
   set total_spent_cents = o.spent
  from (select store_id, customer_id, sum(paid_cents - refunded_cents) as spent
          from "order"
         where paid_at is not null
           and (store_id, customer_id) in (select store_id, id from customer
                                            where total_spent_cents < 0 or total_spent_cents >= 9007199254740991)
         group by store_id, customer_id) o
 where c.store_id = o.store_id and c.id = o.customer_id;
