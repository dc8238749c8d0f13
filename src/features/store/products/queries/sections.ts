import { sql } from 'kysely'
import type { Section } from '../schema.ts'

/** A variant as JSON. The query needs the aliases `v` (variant), `p` (its product) and `s` (its stock). */
export const VARIANT = sql`
  json_build_object(
    'id', v.id, 'object', 'variant', 'product_id', p.hash_id, 'name', v.name, 'slug', v.slug,
    'delivery_type', v.delivery_type, 'price_cents', v.price_cents,
    'discount_percent', v.discount_percent, 'compare_at_cents', v.compare_at_cents,
    'is_default', v.is_default, 'active', v.active, 'sort_order', v.sort_order,
    'image_url', v.image_url, 'stock_mode', v.stock_mode,
    'stock_quantity', case when v.stock_mode = 'unlimited' then 0
                           else s.available end,
    'sku', v.sku, 'barcode', v.barcode, 'weight_grams', v.weight_grams,
    'track_inventory', v.track_inventory, 'allow_backorder', v.allow_backorder,
    'low_stock_threshold', v.low_stock_threshold, 'option_values', v.option_values,
    'created_at', iso(v.created_at), 'updated_at', iso(v.updated_at))`

/** The columns of the `product` section. The query needs the aliases of `productsWith`. */
export const PRODUCT = sql`
  p.hash_id as id, 'product' as object, p.hash_id, p.id as legacy_id, p.name, p.slug, p.type,
  p.product_kind, p.status, p.active, p.visibility, p.price_cents, p.discount_percent, p.currency,
  p.accepts_coupons, p.min_qty, p.max_qty, p.sell_limit, p.requires_shipping, p.sku,
  p.delivery_note, p.best_seller, p.metadata, p.stock_alert_threshold, p.created_at, p.updated_at,
  ps.sold as sales_count,
  (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'icon', c.icon)
                            order by c.position, c.id), '[]')
     from product_category pc
     join category c on c.store_id = pc.store_id and c.id = pc.category_id
    where pc.store_id = p.store_id and pc.product_id = p.id) as categories`

/** The other sections, each as one column of JSON. */
export const SECTIONS = {
  details: sql`
    json_build_object(
      'short_description', d.short_description, 'description_html', d.description_html,
      'youtube_url', d.youtube_url, 'delivered_message', d.delivered_message,
      'highlights', d.highlights) as details`,
  seo: sql`
    json_build_object(
      'meta_title', d.meta_title, 'meta_description', d.meta_description, 'og_title', d.og_title,
      'og_description', d.og_description, 'og_image_url', d.og_image_url) as seo`,
  methods: sql`p.methods`,
  media: sql`
    (select coalesce(json_agg(json_build_object(
              'id', m.id, 'kind', m.kind, 'url', m.url, 'position', m.position,
              'is_main', m.is_main, 'meta', m.meta, 'created_at', iso(m.created_at))
            order by m.position, m.id), '[]')
       from product_media m
      where m.store_id = p.store_id and m.product_id = p.id) as media`,
  variants: sql`listed.variants`,
} satisfies Record<Section, unknown>

/** Returns the SQL that joins products with their list counters and the tables of these sections. */
export const productsWith = (sections: readonly Section[]) => sql`
  product p
  join product_stock ps on ps.store_id = p.store_id and ps.product_id = p.id
  ${sections.includes('details') || sections.includes('seo') ? CONTENT : sql``}
  ${sections.includes('variants') ? VARIANTS : sql``}`

const CONTENT = sql`
  join product_content d on d.store_id = p.store_id and d.product_id = p.id`

const VARIANTS = sql`
  cross join lateral (
    select coalesce(json_agg(${VARIANT} order by v.sort_order, v.id), '[]') as variants
      from variant v
      join stock s on s.store_id = v.store_id and s.variant_id = v.id
     where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null) listed`
