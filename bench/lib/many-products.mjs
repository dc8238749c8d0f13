// A statement that creates many products. Each has a name of three words and two variants, and some are sold. The
// statement disables triggers and foreign keys if the database user may do that.

const WORDS = [
  'photo',
  'editor',
  'game',
  'server',
  'backup',
  'music',
  'player',
  'theme',
  'plugin',
  'course',
  'ebook',
  'sound',
  'font',
  'icon',
  'shader',
  'model',
  'license',
  'script',
  'template',
  'tool',
]

/**
 * @param {string} storeHash
 * @param {number} count
 */
export const manyProducts = (storeHash, count) => `
  do $do$
  declare search_index text;
  begin
    begin
      perform set_config('session_replication_role', 'replica', true);
    exception when insufficient_privilege then null;
    end;
    select indexdef into search_index from pg_indexes where indexname = 'product_grams_idx';
    drop index product_grams_idx;
    ${insertProducts(storeHash, count)};
    execute search_index;
  end $do$`

/**
 * @param {string} storeHash
 * @param {number} count
 */
const insertProducts = (storeHash, count) => `
  with store as (select id from store where hash = '${storeHash}'),
  words as (select array['${WORDS.join("','")}'] as word),
  new_product as (
    insert into product (store_id, hash_id, name, slug, type, product_kind, status, active, visibility,
                         price_cents, discount_percent, currency, accepts_coupons, min_qty,
                         requires_shipping, sku, best_seller, metadata, methods, created_at, updated_at)
    select s.id, 'z' || lpad(to_hex(n), 11, '0'),
           word[1 + n % 20] || ' ' || word[1 + n / 20 % 20] || ' ' || word[1 + n / 400 % 20] || ' ' || n,
           'p-' || n, 'serial', 'single', case when n % 10 = 0 then 'draft' else 'active' end, true,
           'public', n % 5000, 0, 'EUR', true, 1, false, 'SKU-' || n, false, '{}',
           '[{"method": "manual", "enabled": true}]', now() - n * interval '1 minute', now()
      from store s, words, generate_series(1, ${count}) as n
    returning store_id, id, price_cents, status, visibility, active, type, product_kind
  ), content as (
    insert into product_content (store_id, product_id, highlights)
    select store_id, id, '{}' from new_product
  ), new_variant as (
    insert into variant (store_id, product_id, name, slug, delivery_type, price_cents,
                         discount_percent, is_default, active, sort_order, stock_mode,
                         track_inventory, allow_backorder, created_at, updated_at)
    select p.store_id, p.id, 'V' || n, 'v' || n, 'serial', p.price_cents, 0, n = 1, true, n - 1,
           'manual', true, false, now(), now()
      from new_product p, generate_series(1, 2) as n
    returning store_id, id, product_id
  ), new_stock as (
    insert into stock (store_id, variant_id, on_hand, sold)
    select store_id, id, id % 7, case when id % 3 = 0 then id % 11 else 0 end from new_variant
    returning store_id, variant_id, on_hand, sold
  ), new_product_stock as (
    insert into product_stock (store_id, product_id, sold, sellable)
    select v.store_id, v.product_id, sum(s.sold), count(*) filter (where s.on_hand > 0)
      from new_variant v
      join new_stock s on s.store_id = v.store_id and s.variant_id = v.id
     group by v.store_id, v.product_id
  )
  insert into product_tally (store_id, status, visibility, active, type, product_kind, part, products)
  select store_id, status, visibility, active, type, product_kind, 0, count(*)
    from new_product
   group by store_id, status, visibility, active, type, product_kind
      on conflict (store_id, status, visibility, active, type, product_kind, part)
      do update set products = product_tally.products + excluded.products`

export const ANALYZE =
  'vacuum analyze product, product_content, product_stock, variant, stock, product_tally'
