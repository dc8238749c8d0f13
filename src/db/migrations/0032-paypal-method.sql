-- A product lists every known method; paypal is new.
update product
   set methods = methods || '[{"method": "paypal", "enabled": false}]'::jsonb
 where not methods @> '[{"method": "paypal"}]'::jsonb;
