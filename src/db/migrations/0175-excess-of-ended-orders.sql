-- An order that has ended costs nothing, so all its money can be refunded. The statistics have values after the next analyze.
drop statistics order_excess;
create statistics order_excess on (
  (paid_cents - refunded_cents
    - case when status in ('expired', 'cancelled', 'refunded') then 0 else total_cents end)) from "order";
