import type { Picture } from './picture.ts'

/** The products, categories, shipping zones and coupons of the demo shop. All of them are invented. */

export interface DemoProduct {
  key: string
  category: string
  picture: Picture
  /** The relative frequency of the product in random orders. */
  demand: number
  /** The body of the call that creates the product. */
  body: {
    name: string
    type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
    product_kind?: 'single' | 'subscription'
    price_cents: number
    details: { short_description: string; description_html: string }
    variants?: readonly object[]
    [field: string]: unknown
  }
  /** The number of stock keys to add to each variant, by its position. */
  keys?: readonly number[]
  billing?: { billing_cycle: 'weekly' | 'monthly' }
  policy?: { prefix: string; max_devices: number; duration_seconds: number | null }
}

const INK = [34, 40, 60] as const
const PAPER = [246, 240, 226] as const
const CORAL = [233, 104, 82] as const
const TEAL = [38, 130, 128] as const
const GOLD = [232, 178, 60] as const
const LILAC = [150, 126, 200] as const

const text = (short_description: string, details: string) => ({
  short_description,
  description_html: `<p>${short_description}</p><p>${details}</p>`,
})

const sizedVariant = (name: string, units: number, weight_grams: number) => ({
  name,
  stock_mode: 'manual',
  stock_quantity: units,
  weight_grams,
  low_stock_threshold: 10,
  option_values: [name],
})

export const CATEGORIES = [
  { name: 'Software', slug: 'software', description: 'Programs that run on your own computer.' },
  { name: 'Downloads', slug: 'downloads', description: 'Brushes and presets, yours at once.' },
  { name: 'Games', slug: 'games', description: 'Codes and places to play.' },
  { name: 'Merchandise', slug: 'merchandise', description: 'Things that come in a parcel.' },
  { name: 'Services', slug: 'services', description: 'Time with somebody who knows how.' },
] as const

export const PRODUCTS: readonly DemoProduct[] = [
  {
    key: 'editor',
    category: 'software',
    demand: 16,
    picture: { motif: 'ring', back: INK, mark: GOLD },
    body: {
      name: 'Lumen Photo Editor',
      type: 'license',
      price_cents: 4900,
      sku: 'LUM-ED',
      best_seller: true,
      details: text('Develops and retouches RAW photographs.', 'One license for two computers.'),
      variants: [
        { name: 'Personal', price_cents: 4900, sku: 'LUM-ED-P' },
        { name: 'Studio', price_cents: 12900, sku: 'LUM-ED-S' },
      ],
    },
    policy: { prefix: 'LUMEN', max_devices: 2, duration_seconds: null },
  },
  {
    key: 'cloud',
    category: 'software',
    demand: 0,
    picture: { motif: 'waves', back: TEAL, mark: PAPER },
    body: {
      name: 'Lumen Cloud',
      type: 'license',
      product_kind: 'subscription',
      price_cents: 900,
      sku: 'LUM-CL',
      details: text('Keeps your photographs in step on all devices.', 'Billed each month.'),
    },
    billing: { billing_cycle: 'monthly' },
    policy: { prefix: 'CLOUD', max_devices: 5, duration_seconds: 2_678_400 },
  },
  {
    key: 'brushes',
    category: 'downloads',
    demand: 14,
    picture: { motif: 'waves', back: PAPER, mark: CORAL },
    body: {
      name: 'Watercolour Brush Pack',
      type: 'file',
      price_cents: 1900,
      sku: 'BRUSH-WC',
      best_seller: true,
      details: text('120 brushes that bleed like the real thing.', 'For every common editor.'),
    },
  },
  {
    key: 'presets',
    category: 'downloads',
    demand: 9,
    picture: { motif: 'grid', back: INK, mark: LILAC },
    body: {
      name: 'Night City Presets',
      type: 'file',
      price_cents: 1200,
      discount_percent: 10,
      sku: 'PRE-NC',
      details: text('24 looks for neon and rain.', 'Works with Lumen Photo Editor.'),
    },
  },
  {
    key: 'cards',
    category: 'games',
    demand: 15,
    picture: { motif: 'sheet', back: LILAC, mark: PAPER },
    body: {
      name: 'Orbit Game Card',
      type: 'serial',
      price_cents: 1000,
      sku: 'ORB',
      details: text('Credit for the game Orbit.', 'The code is shown as soon as it is paid.'),
      variants: [
        { name: '10 credits', price_cents: 1000, sku: 'ORB-10', low_stock_threshold: 20 },
        { name: '25 credits', price_cents: 2500, sku: 'ORB-25', low_stock_threshold: 20 },
      ],
    },
    keys: [130, 90],
  },
  {
    key: 'server',
    category: 'games',
    demand: 3,
    picture: { motif: 'grid', back: TEAL, mark: GOLD },
    body: {
      name: 'Orbit Server Place',
      type: 'dynamic',
      price_cents: 800,
      sku: 'ORB-SRV',
      details: text('A place on a private server for 30 days.', 'Made when you buy it.'),
    },
  },
  {
    key: 'mug',
    category: 'merchandise',
    demand: 11,
    picture: { motif: 'disc', back: CORAL, mark: PAPER },
    body: {
      name: 'Enamel Mug',
      type: 'physical',
      price_cents: 1600,
      sku: 'MUG',
      details: text('350 ml, light and hard to break.', 'Safe on a camp fire.'),
      variants: ['White', 'Coral', 'Forest'].map((name, index) =>
        sizedVariant(name, 60 - 18 * index, 240),
      ),
    },
  },
  {
    key: 'shirt',
    category: 'merchandise',
    demand: 10,
    picture: { motif: 'sheet', back: GOLD, mark: INK },
    body: {
      name: 'Cotton T-shirt',
      type: 'physical',
      price_cents: 2800,
      sku: 'TEE',
      details: text('Heavy cotton with a small print.', 'Cut straight; size up if unsure.'),
      variants: ['S', 'M', 'L', 'XL'].map((name, index) => sizedVariant(name, 40 - 7 * index, 210)),
    },
  },
  {
    key: 'poster',
    category: 'merchandise',
    demand: 6,
    picture: { motif: 'ring', back: PAPER, mark: TEAL },
    body: {
      name: 'Star Chart Poster',
      type: 'physical',
      price_cents: 2400,
      sku: 'POSTER',
      details: text('50 by 70 cm on matte paper.', 'Comes rolled in a tube.'),
      variants: [sizedVariant('50 × 70 cm', 80, 320)],
    },
  },
  {
    key: 'review',
    category: 'services',
    demand: 4,
    picture: { motif: 'disc', back: INK, mark: CORAL },
    body: {
      name: 'Portfolio Review',
      type: 'service',
      price_cents: 7500,
      sku: 'SRV-PR',
      details: text('An hour about your pictures, by video.', 'We write to you with a date.'),
    },
  },
]

const parcelRate = (price_cents: number, days: readonly [number, number], free?: number) => ({
  name: 'Parcel',
  calc_type: 'flat',
  carrier_code: 'parcel',
  price_cents,
  free_over_cents: free ?? null,
  min_days: days[0],
  max_days: days[1],
})

export const ZONES = [
  { name: 'United States', countries: ['US'], rates: [parcelRate(595, [2, 5], 7500)] },
  {
    name: 'Europe',
    countries: ['AT', 'DE', 'ES', 'FR', 'IT', 'NL'],
    rates: [parcelRate(995, [4, 8])],
  },
  { name: 'Rest of the world', countries: ['*'], rates: [parcelRate(1695, [7, 21])] },
] as const

export const COUPONS = [
  { code: 'WELCOME10', type: 'percentage', discount_percent: 10, max_uses_per_customer: 1 },
  { code: 'BUNDLE5', type: 'fixed', amount_cents: 500, min_order_cents: 4000 },
] as const
