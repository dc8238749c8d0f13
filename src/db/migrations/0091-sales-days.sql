-- Sums of sales_quarter by UTC day, so that a year has 366 rows instead of 35,136. A trigger updates them, so that
-- quarters changed by a process of the previous release are included too (decision 322).
create table sales_day (
  store_id       bigint not null references store,
  day            date   not null,
  created        bigint not null,
  converted      bigint not null,
  completed      bigint not null,
  orders         bigint not null,
  units          bigint not null,
  gross_cents    bigint not null,
  discount_cents bigint not null,
  shipping_cents bigint not null,
  refunded_cents bigint not null,
  new_customers  bigint not null,
  primary key (store_id, day)
) with (fillfactor = 70);

create function count_sales_of_day() returns trigger language plpgsql as $$
begin
  -- `old` is null if the quarter is new.
  insert into sales_day as s
  values (new.store_id, utc_day(new.quarter),
          new.created - coalesce(old.created, 0), new.converted - coalesce(old.converted, 0),
          new.completed - coalesce(old.completed, 0), new.orders - coalesce(old.orders, 0),
          new.units - coalesce(old.units, 0), new.gross_cents - coalesce(old.gross_cents, 0),
          new.discount_cents - coalesce(old.discount_cents, 0), new.shipping_cents - coalesce(old.shipping_cents, 0),
          new.refunded_cents - coalesce(old.refunded_cents, 0), new.new_customers - coalesce(old.new_customers, 0))
      on conflict (store_id, day) do update
     set created = s.created + excluded.created, converted = s.converted + excluded.converted,
         completed = s.completed + excluded.completed, orders = s.orders + excluded.orders,
         units = s.units + excluded.units, gross_cents = s.gross_cents + excluded.gross_cents,
         discount_cents = s.discount_cents + excluded.discount_cents,
         shipping_cents = s.shipping_cents + excluded.shipping_cents,
         refunded_cents = s.refunded_cents + excluded.refunded_cents,
         new_customers = s.new_customers + excluded.new_customers;
  return null;
end $$;

-- Creating the trigger waits for jobs that change quarters. It precedes the insert below, so that no change is missed.
create trigger count_sales_of_day after insert or update on sales_quarter
  for each row execute function count_sales_of_day();

insert into sales_day
select store_id, utc_day(quarter), sum(created), sum(converted), sum(completed), sum(orders), sum(units),
       sum(gross_cents), sum(discount_cents), sum(shipping_cents), sum(refunded_cents), sum(new_customers)
  from sales_quarter
 group by 1, 2
 order by 1, 2;

-- Returns the first moment of a day. If clocks are set back from 01:00 to 00:00, midnight occurs twice and PostgreSQL
-- returns the second one.
create function start_of_day(day date, zone text) returns timestamptz(3)
  language sql stable parallel safe
  return day::timestamp at time zone zone
       - case when ((day::timestamp at time zone zone - interval '1 hour') at time zone zone)::date = day
              then interval '1 hour' else interval '0' end;

-- Lists and sums read only the index of pages that a vacuum marked as visible to all, so these tables are vacuumed
-- often.
alter table "order" set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table customer set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
