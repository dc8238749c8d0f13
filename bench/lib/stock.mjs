// Products of a realistic size, and their orders.
const KEYS_PER_CALL = 5_000

/** The body of a product with texts and two variants. */
export const PRODUCT = {
  name: 'Photo editor, one licence',
  price_cents: 1999,
  sku: 'PHOTO-1',
  metadata: { family: 'photo', edition: '2024' },
  details: {
    short_description: 'Edits photos, in layers.',
    description_html: `<p>${'It opens every raw format, and remembers every setting. '.repeat(12)}</p>`,
    highlights: { Platforms: 'Linux, macOS, Windows', Updates: 'one year' },
  },
  seo: { meta_title: 'Photo editor', meta_description: 'A photo editor that works in layers.' },
  variants: [
    { name: 'One seat', price_cents: 1999, is_default: true },
    { name: 'Five seats', price_cents: 7999 },
  ],
}

/** Creates a product with `count` stock keys, and returns its id. `send` takes method, path and body. */
export async function stockProduct(send, name, count) {
  const { product, variants } = await send('POST', '/products', { name, price_cents: 1999 })
  const path = `/products/${product.id}/variants/${variants[0].id}/keys`
  for (let from = 0; from < count; from += KEYS_PER_CALL) {
    const length = Math.min(KEYS_PER_CALL, count - from)
    const keys = Array.from({ length }, (_, index) => `${product.id}-${from + index}`)
    await send('POST', path, { keys })
  }
  return product.id
}

/** Creates an order of one unit by a returning customer. */
export async function createOrder(send, product_id) {
  const customer = { email: 'ada@example.com', name: 'Ada' }
  return (await send('POST', '/orders', { items: [{ product_id, quantity: 1 }], customer })).order
}
