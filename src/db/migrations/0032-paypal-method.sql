-- Every product lists all known payment methods, so existing products get the new method paypal.
update product
   set methods = methods || '[{"method": "paypal", "enabled": false}]'::jsonb
 where not methods @> '[{"method": "paypal"}]'::jsonb;
