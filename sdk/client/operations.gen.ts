// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { List } from './list.ts'
import type { CallOptions, PostOptions } from './transport.ts'

/** The Store API of one store, by area. */
export interface Tradepost {
  /** The store, its plan and what the calling key may do. */
  account: {
    /**
     * Show the store, its plan and limits, and what the calling key may do.
     *
     * Needs the permission `account:read`.
     */
    get(options?: CallOptions): Promise<{ account: Account }>
  }
  /** Create, pay, cancel and refund orders; their deliveries. */
  orders: {
    /**
     * List orders with their items.
     *
     * Needs the permission `orders:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    list(query?: OrdersListQuery, options?: CallOptions): List<{ orders: ListedOrder[]; pagination: Pagination }, ListedOrder>
    /**
     * Create an order and hold its stock until it is paid, cancelled or expired.
     *
     * A total of zero, or `mark_paid`, delivers at once.
     *
     * Needs the permission `orders:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`, `OUT_OF_STOCK`, `COUPON_INVALID`,
     * `CUSTOMER_BLOCKED`
     */
    create(body: NewOrder, options?: PostOptions): Promise<{ order: Order }>
    /**
     * Get an order with its payments, refunds, deliveries and history.
     *
     * Needs the permission `orders:read`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, options?: CallOptions): Promise<{ order: Order }>
    /**
     * Change notes of an order, and while it is unpaid who buys and where it goes.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `COUPON_INVALID`
     */
    update(id: string, body: OrderPatch, options?: CallOptions): Promise<{ order: Order }>
    /**
     * Cancel an unpaid order and give back its stock.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`, `INVOICE_PAID`, `INVALID_STATE`
     */
    cancel(id: string, body?: OrdersCancelBody, options?: PostOptions): Promise<{ order: Order }>
    /**
     * Record that money went back, a part or all that is left.
     *
     * Moves no money by itself. The refund that leaves nothing of the payment ends the order: its
     * keys are revoked, or go back into stock with `restock`.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`,
     * `REFUND_EXCEEDS_PAID`
     */
    refund(id: string, body?: NewRefund, options?: PostOptions): Promise<{ refund: Refund; order: Order }>
    /**
     * List the payments of an order, the oldest first.
     *
     * Needs the permission `orders:read`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`
     */
    listPayments(id: string, options?: CallOptions): Promise<{
      /** All of them. */
      payments: Payment[]
    }>
    /**
     * List what was handed over for an order, and what waits.
     *
     * Needs the permission `orders:read`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`
     */
    listDeliveries(id: string, options?: CallOptions): Promise<{
      /** All of them. */
      deliveries: Delivery[]
    }>
    /**
     * Deliver by hand what a paid order waits for.
     *
     * With a text of your own; or without one, with keys that came into stock since, or files that
     * were added to the product. The last delivery completes the order.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `OUT_OF_STOCK`
     */
    deliver(id: string, body: NewDelivery, options?: PostOptions): Promise<{ delivery: Delivery; order: Order }>
    /**
     * Mail the customer what was delivered and still holds.
     *
     * Keys, texts, and addresses of files that are good for 15 minutes. Mail of a test side is
     * kept, not sent.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
     */
    resendDeliveries(id: string, options?: PostOptions): Promise<{ order: Order }>
    /**
     * Take new keys from stock for those of a delivery.
     *
     * The old keys are burned: they are never sold again.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @param deliveryId The delivery.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `OUT_OF_STOCK`
     */
    replaceDelivery(id: string, deliveryId: number, options?: PostOptions): Promise<{ delivery: Delivery; order: Order }>
    /**
     * Record a payment that arrived outside.
     *
     * Approved, it counts at once; an order that is paid in full is delivered.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
     */
    addManualPayment(id: string, body?: NewManualPayment, options?: PostOptions): Promise<{ payment: Payment; order: Order }>
    /**
     * Accept a manual payment after review.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @param paymentId The payment.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
     */
    approveManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Promise<{ payment: Payment; order: Order }>
    /**
     * Refuse a manual payment after review; the order waits for money again.
     *
     * Needs the permission `orders:write`.
     * @param id The order.
     * @param paymentId The payment.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
     */
    rejectManualPayment(id: string, paymentId: number, body?: PaymentReview, options?: PostOptions): Promise<{ payment: Payment; order: Order }>
  }
  /** What is sold: products, variants, texts, media and files. */
  products: {
    /**
     * List products.
     *
     * `total` is exact up to 10,000, and beyond it for a category, or for filters by status,
     * visibility, `active`, type and kind. `has_more` is always right.
     *
     * Needs the permission `products:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    list(query?: ProductsListQuery, options?: CallOptions): List<{ products: ListedProduct[]; pagination: Pagination }, ListedProduct>
    /**
     * Create a product with its sections and variants.
     *
     * Without `variants` one is made: "Default", with the price and type of the product.
     *
     * Needs the permission `products:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    create(body: NewProduct, options?: PostOptions): Promise<ProductSections>
    /**
     * Get a product with all its sections.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, options?: CallOptions): Promise<ProductSections>
    /**
     * Update a product. Fields you leave out keep their value; null clears.
     *
     * A changed `price_cents` is the price of the default variant too.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: string, body: ProductPatch, options?: CallOptions): Promise<ProductSections>
    /**
     * Delete a product. Orders keep its name; its slug and SKUs are free again.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: string, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The product hash. */
      id: string
    }>
    /**
     * Make a draft copy of a product.
     *
     * Texts, prices, options, categories and media are copied; keys, stock, files and SKUs are not.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    duplicate(id: string, options?: PostOptions): Promise<ProductSections>
  }
  /** What is sold: products, variants, texts, media and files. */
  variants: {
    /**
     * List the variants of a product, by sort order.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    list(id: string, options?: CallOptions): Promise<{
      /** All variants of the product, by sort order. */
      variants: Variant[]
    }>
    /**
     * Add a variant to a product.
     *
     * Without a price it takes the product's, without a place it comes last.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    create(id: string, body: NewVariant, options?: PostOptions): Promise<{
      /** The variant. */
      variant: Variant
    }>
    /**
     * Put the variants of a product in another order.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    order(id: string, body: NewVariantOrder, options?: CallOptions): Promise<{
      /** All variants of the product, by sort order. */
      variants: Variant[]
    }>
    /**
     * Get a variant.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, variantId: number, options?: CallOptions): Promise<{
      /** The variant. */
      variant: Variant
    }>
    /**
     * Update a variant. Fields you leave out keep their value; null clears.
     *
     * The price of the default variant is the price of the product too.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
     */
    update(id: string, variantId: number, body: VariantPatch, options?: CallOptions): Promise<{
      /** The variant. */
      variant: Variant
    }>
    /**
     * Delete a variant. The last one of a product stays.
     *
     * Where the default variant goes, the first of the others takes its place.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
     */
    delete(id: string, variantId: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The variant that is gone. */
      id: number
    }>
    /**
     * Get how big one unit of a variant is.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`
     */
    getDimensions(id: string, variantId: number, options?: CallOptions): Promise<{
      /** How big one unit is. */
      shipping_dimensions: ShippingDimensions
    }>
    /**
     * Say how big one unit of a variant is, for volumetric shipping rates.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    setDimensions(id: string, variantId: number, body: NewShippingDimensions, options?: CallOptions): Promise<{
      /** How big one unit is. */
      shipping_dimensions: ShippingDimensions
    }>
  }
  /** What is sold: products, variants, texts, media and files. */
  media: {
    /**
     * List the pictures and videos of a product, by position.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    list(id: string, options?: CallOptions): Promise<{
      /** All of the product, by position. */
      media: ProductMedia[]
    }>
    /**
     * Add a picture or a video to a product, by address or as an upload.
     *
     * PNG, JPEG, GIF, WebP, AVIF, MP4 and WebM, up to 50 MiB. A picture by address is fetched, up
     * to 10 MiB, and kept. The first image is the main one.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`
     */
    create(id: string, body: MediaCreateBody, options?: PostOptions): Promise<{
      /** The picture or video. */
      media: ProductMedia
    }>
    /**
     * Put the pictures and videos of a product in another order.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    order(id: string, body: NewMediaOrder, options?: CallOptions): Promise<{
      /** All of the product, by position. */
      media: ProductMedia[]
    }>
    /**
     * Make an image the main one, or say facts about a picture or video.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param mediaId The picture or video.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: string, mediaId: number, body: MediaPatch, options?: CallOptions): Promise<{
      /** The picture or video. */
      media: ProductMedia
    }>
    /**
     * Delete a picture or video. Where the main one goes, the next image follows.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param mediaId The picture or video.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: string, mediaId: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** What is gone. */
      id: number
    }>
  }
  /** What is sold: products, variants, texts, media and files. */
  details: {
    /**
     * Get the texts of a product's page.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, options?: CallOptions): Promise<{ details: ProductDetails }>
    /**
     * Update the texts of a product's page. What you leave out stays; null clears.
     *
     * HTML is cleaned: what could run is removed.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: string, body: DetailsPatch, options?: CallOptions): Promise<{ details: ProductDetails }>
  }
  /** What is sold: products, variants, texts, media and files. */
  seo: {
    /**
     * Get the texts of a product for search engines and shares.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, options?: CallOptions): Promise<{ seo: ProductSeo }>
    /**
     * Update the texts for search engines. What you leave out stays; null clears.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: string, body: SeoPatch, options?: CallOptions): Promise<{ seo: ProductSeo }>
  }
  /** What is sold: products, variants, texts, media and files. */
  paymentMethods: {
    /**
     * Get how a product can be paid.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, options?: CallOptions): Promise<{
      /** How it can be paid. */
      methods: ProductMethod[]
    }>
    /**
     * Say how a product can be paid. Methods that are not named keep their state.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    set(id: string, body: MethodsPatch, options?: CallOptions): Promise<{
      /** How it can be paid. */
      methods: ProductMethod[]
    }>
  }
  /** What is sold: products, variants, texts, media and files. */
  files: {
    /**
     * List the files of a product, each with an address to download it for 15 minutes.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`
     */
    list(id: string, options?: CallOptions): Promise<{
      /** In the order they were added. */
      files: ProductFile[]
    }>
    /**
     * Add a file to a product or to one variant of it.
     *
     * Up to 50 MiB as multipart/form-data, or a small one as base64 in JSON.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `PAYLOAD_TOO_LARGE`
     */
    create(id: string, body: FilesCreateBody, options?: PostOptions): Promise<{
      /** The file. */
      file: ProductFile
    }>
    /**
     * Delete a file.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param fileId The file.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: string, fileId: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The file that is gone. */
      id: number
    }>
  }
  /** What is sold: products, variants, texts, media and files. */
  stockAlerts: {
    /**
     * List who wants to hear when a product is in stock again, newest first.
     *
     * Needs the permission `products:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    list(id: string, query?: StockAlertsListQuery, options?: CallOptions): List<{ stock_alerts: StockAlert[]; pagination: Pagination }, StockAlert>
    /**
     * Sign a customer up for a mail when a product is in stock again.
     *
     * A sign-up that waits already is answered again.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    create(id: string, body: NewStockAlert, options?: PostOptions): Promise<{
      /** The sign-up. */
      stock_alert: StockAlert
    }>
    /**
     * Say at how many units the stock of a product counts as low.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    setThreshold(id: string, body: StockAlertThreshold, options?: CallOptions): Promise<{
      /** Units at which stock counts as low; null means never. */
      stock_alert_threshold: number | null
    }>
    /**
     * Delete a sign-up.
     *
     * Needs the permission `products:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param alertId The sign-up.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: string, alertId: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The sign-up that is gone. */
      id: number
    }>
  }
  /** Quantities, stock keys and who may see them. */
  stock: {
    /**
     * Get the stock of a variant.
     *
     * Needs the permission `stock:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, variantId: number, options?: CallOptions): Promise<{
      /** The stock of the variant. */
      stock: VariantStock
    }>
    /**
     * Set what there is to sell of a variant, or add to it and take from it.
     *
     * For `stock_mode` manual. What unpaid orders hold stays theirs and is not part of the
     * quantity.
     *
     * Needs the permission `stock:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: string, variantId: number, body: StockPatch, options?: CallOptions): Promise<{
      /** The stock of the variant. */
      stock: VariantStock
    }>
    /**
     * List the stock keys of a variant, newest first.
     *
     * Needs the permission `stock:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    listKeys(id: string, variantId: number, query?: StockListKeysQuery, options?: CallOptions): List<{ keys: StockKey[]; pagination: Pagination }, StockKey>
    /**
     * Add stock keys to a serial variant.
     *
     * A key that the variant has, or had and sold, is a duplicate. With `dry_run` nothing is added.
     *
     * Needs the permission `stock:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    addKeys(id: string, variantId: number, body: NewStockKeys, options?: PostOptions): Promise<{
      /** Keys that are new. */
      added: number
      /** Keys that were there already, or stood twice in the call. */
      skipped: number
      /** Of a dry run. */
      report?: StockKeyReport
    }>
    /**
     * Get an address that downloads all stock keys of a variant as CSV.
     *
     * It shows the keys in full and needs no API key, for 15 minutes.
     *
     * Needs the permission `stock:read`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`
     */
    exportKeys(id: string, variantId: number, options?: CallOptions): Promise<{
      /** The address, and until when it is one. */
      export: StockKeyExport
    }>
    /**
     * Change a stock key that is not sold, hold it back, or withdraw it.
     *
     * Needs the permission `stock:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @param keyId The stock key.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`, `VALIDATION_FAILED`
     */
    updateKey(id: string, variantId: number, keyId: number, body: StockKeyPatch, options?: CallOptions): Promise<{
      /** The key, masked. */
      key: StockKey
    }>
    /**
     * Delete an available stock key.
     *
     * Needs the permission `stock:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @param keyId The stock key.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
     */
    deleteKey(id: string, variantId: number, keyId: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The key that is gone. */
      id: number
    }>
    /**
     * Delete all available stock keys of a variant that no unpaid order holds.
     *
     * Needs the permission `stock:write`.
     * @param id The product hash; the numeric id is accepted too.
     * @param variantId The variant.
     * @throws {TradepostError} `NOT_FOUND`
     */
    deleteAllKeys(id: string, variantId: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** Keys that are gone. */
      count: number
    }>
  }
  /** Where products are listed. */
  categories: {
    /**
     * List categories, by position.
     *
     * Needs the permission `categories:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    list(query?: CategoriesListQuery, options?: CallOptions): List<{ categories: Category[]; pagination: Pagination }, Category>
    /**
     * Create a category, behind the others.
     *
     * Needs the permission `categories:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    create(body: NewCategory, options?: PostOptions): Promise<{ category: Category }>
    /**
     * Give all categories a new order.
     *
     * Needs the permission `categories:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    reorder(body: CategoriesReorderBody, options?: CallOptions): Promise<{
      /** All of them, in their new order. */
      categories: Category[]
    }>
    /**
     * Get a category.
     *
     * Needs the permission `categories:read`.
     * @param id The category.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: number, options?: CallOptions): Promise<{ category: Category }>
    /**
     * Update a category. Fields you leave out keep their value; null clears.
     *
     * Needs the permission `categories:write`.
     * @param id The category.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: number, body: CategoryPatch, options?: CallOptions): Promise<{ category: Category }>
    /**
     * Say which products are in a category; all others leave it.
     *
     * Needs the permission `categories:write`.
     * @param id The category.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    putProducts(id: number, body: CategoryProducts, options?: CallOptions): Promise<{ category: Category }>
    /**
     * Delete a category. Its products stay.
     *
     * Needs the permission `categories:write`.
     * @param id The category.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The category that is gone. */
      id: number
    }>
  }
  /** Products shown together as one. */
  groups: {
    /**
     * List groups, by position.
     *
     * Needs the permission `groups:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    list(query?: GroupsListQuery, options?: CallOptions): List<{ groups: Group[]; pagination: Pagination }, Group>
    /**
     * Create a group, behind the others.
     *
     * Needs the permission `groups:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    create(body: NewGroup, options?: PostOptions): Promise<{ group: Group }>
    /**
     * Give all groups a new order.
     *
     * Needs the permission `groups:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    reorder(body: GroupsReorderBody, options?: CallOptions): Promise<{
      /** All of them, in their new order. */
      groups: Group[]
    }>
    /**
     * Get a group.
     *
     * Needs the permission `groups:read`.
     * @param id The group.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: number, options?: CallOptions): Promise<{ group: Group }>
    /**
     * Update a group. Fields you leave out keep their value; null clears.
     *
     * Needs the permission `groups:write`.
     * @param id The group.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: number, body: GroupPatch, options?: CallOptions): Promise<{ group: Group }>
    /**
     * Say which products are in a group; all others leave it.
     *
     * Keeps their order. A product is in at most one group: one that is in another leaves that.
     *
     * Needs the permission `groups:write`.
     * @param id The group.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    putProducts(id: number, body: GroupProducts, options?: CallOptions): Promise<{ group: Group }>
    /**
     * Delete a group. Its products stay.
     *
     * Needs the permission `groups:write`.
     * @param id The group.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The group that is gone. */
      id: number
    }>
  }
  /** Codes that lower the price of an order. */
  coupons: {
    /**
     * List coupons, the newest first.
     *
     * `total` is exact up to 10,000; `has_more` is always right.
     *
     * Needs the permission `coupons:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    list(query?: CouponsListQuery, options?: CallOptions): List<{ coupons: Coupon[]; pagination: Pagination }, Coupon>
    /**
     * Create a coupon.
     *
     * Needs the permission `coupons:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    create(body: NewCoupon, options?: PostOptions): Promise<{ coupon: Coupon }>
    /**
     * Ask whether an order may use a coupon, and what it would take off.
     *
     * Counts no use, and holds nothing: until the order is made others may use the coupon up.
     *
     * Needs the permission `coupons:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    validate(body: CouponCheck, options?: PostOptions): Promise<{
      /** Whether an order of these items may use it. */
      valid: boolean
      /** Why not; null where it may. */
      reason:
        | 'not_found'
        | 'inactive'
        | 'not_started'
        | 'expired'
        | 'max_uses'
        | 'max_uses_per_customer'
        | 'min_order'
        | 'not_applicable'
        | 'email_not_allowed'
        | null
      /** What it takes off, in minor units. */
      discount_cents: number
    }>
    /**
     * Get a coupon.
     *
     * Needs the permission `coupons:read`.
     * @param id The coupon.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: number, options?: CallOptions): Promise<{ coupon: Coupon }>
    /**
     * Update a coupon. Fields you leave out keep their value; null clears.
     *
     * Orders that used it keep what it took off.
     *
     * Needs the permission `coupons:write`.
     * @param id The coupon.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: number, body: CouponPatch, options?: CallOptions): Promise<{ coupon: Coupon }>
    /**
     * Delete a coupon.
     *
     * Orders that used it keep what it took off.
     *
     * Needs the permission `coupons:write`.
     * @param id The coupon.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The coupon that is gone. */
      id: number
    }>
  }
  /** Who bought, what they hold and what they may do. */
  customers: {
    /**
     * List what changed the balance of a customer, the newest first.
     *
     * Needs the permission `customers:read`.
     * @param id The customer.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    listBalanceEntries(id: number, query?: CustomersListBalanceEntriesQuery, options?: CallOptions): List<{
      balance_entries: BalanceEntry[]
      pagination: Pagination
    }, BalanceEntry>
  }
  /** Shipping zones, rates, locations and parcels. */
  shipping: {
    /**
     * List shipping zones with their rates, by position.
     *
     * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    listZones(query?: ShippingListZonesQuery, options?: CallOptions): List<{ zones: ShippingZone[]; pagination: Pagination }, ShippingZone>
    /**
     * Create a shipping zone with its rates, behind the others.
     *
     * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the
     * store.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    createZone(body: NewShippingZone, options?: PostOptions): Promise<{ zone: ShippingZone }>
    /**
     * Give all shipping zones a new order.
     *
     * Of zones that fit an address equally well, the one that stands first is used.
     *
     * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the
     * store.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    reorderZones(body: ShippingZoneOrder, options?: CallOptions): Promise<{
      /** All zones, in their new order. */
      zones: ShippingZone[]
    }>
    /**
     * Get a shipping zone with its rates.
     *
     * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
     * @param id The zone.
     * @throws {TradepostError} `NOT_FOUND`
     */
    getZone(id: number, options?: CallOptions): Promise<{ zone: ShippingZone }>
    /**
     * Update a shipping zone. Fields you leave out keep their value.
     *
     * A sent list of `rates` replaces the old one: a rate with an `id` is changed and keeps what
     * you leave out, one without is new, and a rate that is not in the list is deleted.
     *
     * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the
     * store.
     * @param id The zone.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    updateZone(id: number, body: ShippingZonePatch, options?: CallOptions): Promise<{ zone: ShippingZone }>
    /**
     * Delete a shipping zone with its rates.
     *
     * Orders keep what they were shipped by.
     *
     * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the
     * store.
     * @param id The zone.
     * @throws {TradepostError} `NOT_FOUND`
     */
    deleteZone(id: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The zone that is gone. */
      id: number
    }>
    /**
     * Ask how items can be shipped to an address, and what that costs.
     *
     * Answers the rates of the one zone that fits best: its region, else its country, else `*`.
     * Empty where no zone or no rate fits, or nothing of it is physical.
     *
     * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    quote(body: NewShippingQuote, options?: PostOptions): Promise<{
      /** The ways there are, in the order of the zone. */
      rates: OfferedShippingRate[]
    }>
    /**
     * List the locations that parcels start from, the newest first.
     *
     * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    listLocations(query?: ShippingListLocationsQuery, options?: CallOptions): List<{ locations: Location[]; pagination: Pagination }, Location>
    /**
     * Create a location. The first one is the default.
     *
     * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the
     * store.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    createLocation(body: NewLocation, options?: PostOptions): Promise<{ location: Location }>
    /**
     * Get a location.
     *
     * Needs the permission `fulfillment:read`, and the feature `shipping` switched on in the store.
     * @param id The location.
     * @throws {TradepostError} `NOT_FOUND`
     */
    getLocation(id: number, options?: CallOptions): Promise<{ location: Location }>
    /**
     * Update a location. Fields you leave out keep their value; null clears.
     *
     * Of all locations exactly one is the default: making one so takes it from another.
     *
     * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the
     * store.
     * @param id The location.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    updateLocation(id: number, body: LocationPatch, options?: CallOptions): Promise<{ location: Location }>
    /**
     * Delete a location.
     *
     * If it was the default, the oldest of the others becomes it.
     *
     * Needs the permission `fulfillment:write`, and the feature `shipping` switched on in the
     * store.
     * @param id The location.
     * @throws {TradepostError} `NOT_FOUND`
     */
    deleteLocation(id: number, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The location that is gone. */
      id: number
    }>
  }
  /** Shipping zones, rates, locations and parcels. */
  fulfillments: {
    /**
     * List fulfillments, the newest first.
     *
     * Needs the permission `fulfillment:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    list(query?: FulfillmentsListQuery, options?: CallOptions): List<{ fulfillments: Fulfillment[]; pagination: Pagination }, Fulfillment>
    /**
     * Get a fulfillment.
     *
     * Needs the permission `fulfillment:read`.
     * @param id The fulfillment.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: number, options?: CallOptions): Promise<{ fulfillment: Fulfillment }>
    /**
     * Ship physical lines of a paid order, a part or all that is left.
     *
     * The parcel counts as `shipped` unless its label was only printed. When every physical unit is
     * shipped, and nothing else is waited for, the order is completed.
     *
     * Needs the permission `fulfillment:write`.
     * @param id The order.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`, `OUT_OF_STOCK`
     */
    create(id: string, body?: NewFulfillment, options?: PostOptions): Promise<{ fulfillment: Fulfillment }>
    /**
     * Change how a fulfillment is followed, and where it stands.
     *
     * `shipment_status` moves `status`: a printed label leaves it `open`, then it is `shipped`,
     * `delivered` or `failed`.
     *
     * Needs the permission `fulfillment:write`.
     * @param id The fulfillment.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`, `INVALID_STATE`
     */
    update(id: number, body: FulfillmentPatch, options?: CallOptions): Promise<{ fulfillment: Fulfillment }>
    /**
     * Call a fulfillment off; what was in it is left to ship again.
     *
     * Needs the permission `fulfillment:write`.
     * @param id The fulfillment.
     * @throws {TradepostError} `NOT_FOUND`, `INVALID_STATE`
     */
    cancel(id: number, options?: PostOptions): Promise<{ fulfillment: Fulfillment }>
  }
  /** Endpoints that are told of events, and what was sent to them. */
  webhooks: {
    /**
     * List webhook endpoints with their statistics of the past 7 days.
     *
     * Needs the permission `webhooks:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    list(query?: WebhooksListQuery, options?: CallOptions): List<{ webhooks: ListedWebhook[]; pagination: Pagination }, ListedWebhook>
    /**
     * Create a webhook endpoint. Its secret is shown once.
     *
     * A store has at most 20 endpoints.
     *
     * Needs the permission `webhooks:write`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    create(body: NewWebhook, options?: PostOptions): Promise<{
      webhook: Webhook
      /** Signs every delivery; keep it, it is not shown again. */
      secret: string
    }>
    /**
     * Get a webhook endpoint.
     *
     * Needs the permission `webhooks:read`.
     * @param id The endpoint.
     * @throws {TradepostError} `NOT_FOUND`
     */
    get(id: string, options?: CallOptions): Promise<{ webhook: Webhook }>
    /**
     * Change the address or the events of an endpoint, or turn it on or off.
     *
     * Needs the permission `webhooks:write`.
     * @param id The endpoint.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    update(id: string, body: WebhookPatch, options?: CallOptions): Promise<{ webhook: Webhook }>
    /**
     * Delete a webhook endpoint; what waits for it is cancelled.
     *
     * Needs the permission `webhooks:write`.
     * @param id The endpoint.
     * @throws {TradepostError} `NOT_FOUND`
     */
    delete(id: string, options?: CallOptions): Promise<{
      /** Always true. */
      deleted: true
      /** The endpoint that is gone. */
      id: string
    }>
    /**
     * Send a sample event to an endpoint and wait for its answer.
     *
     * Needs the permission `webhooks:write`.
     * @param id The endpoint.
     * @throws {TradepostError} `NOT_FOUND`, `VALIDATION_FAILED`
     */
    test(id: string, body?: NewTest, options?: PostOptions): Promise<{ result: SendResult; delivery: WebhookDelivery }>
  }
  /** Endpoints that are told of events, and what was sent to them. */
  events: {
    /**
     * List the event types.
     *
     * Needs the permission `webhooks:read`.
     */
    types(options?: CallOptions): Promise<{
      /** All event types. */
      types: EventType[]
    }>
    /**
     * List webhook deliveries, newest first.
     *
     * Needs the permission `webhooks:read`.
     * @throws {TradepostError} `VALIDATION_FAILED`
     */
    deliveries(query?: EventsDeliveriesQuery, options?: CallOptions): List<{
      deliveries: ListedWebhookDelivery[]
      pagination: Pagination
    }, ListedWebhookDelivery>
    /**
     * Get a webhook delivery with its payload and all its attempts.
     *
     * Needs the permission `webhooks:read`.
     * @param id The delivery.
     * @throws {TradepostError} `NOT_FOUND`
     */
    getDelivery(id: number, options?: CallOptions): Promise<{ delivery: WebhookDelivery }>
    /**
     * Send a delivery again, now, and wait for the answer.
     *
     * Success ends its schedule; failure leaves the schedule as it was.
     *
     * Needs the permission `webhooks:write`.
     * @param id The delivery.
     * @throws {TradepostError} `NOT_FOUND`, `ENDPOINT_DELETED`, `DELIVERY_IN_PROGRESS`
     */
    resend(id: number, options?: PostOptions): Promise<{ result: SendResult; delivery: WebhookDelivery }>
  }
}

/** Why the API refuses a call. */
export type RefusalCode =
  | 'INVALID_JSON'
  | 'MISSING_API_KEY'
  | 'MISSING_STORE_HASH'
  | 'INVALID_API_KEY'
  | 'API_KEY_EXPIRED'
  | 'INSUFFICIENT_SCOPE'
  | 'IP_NOT_ALLOWED'
  | 'STORE_NOT_ALLOWED'
  | 'STORE_API_NOT_IN_PLAN'
  | 'FEATURE_NOT_ENABLED'
  | 'CUSTOMER_BLOCKED'
  | 'NOT_FOUND'
  | 'STORE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'INVOICE_PAID'
  | 'INVALID_STATE'
  | 'OUT_OF_STOCK'
  | 'ENDPOINT_DELETED'
  | 'DELIVERY_IN_PROGRESS'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'COUPON_INVALID'
  | 'REFUND_EXCEEDS_PAID'
  | 'RATE_LIMITED'
  | 'STORE_API_MONTHLY_QUOTA_EXCEEDED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** The store, the calling key, and what is switched on. */
export interface Account {
  /** The store the call was for. */
  store: {
    /** The store hash, as in `x-store-hash`. */
    id: string
    /** The name customers see. */
    name: string
    /** The name in addresses. */
    slug: string
    /** ISO 4217; every amount of the store is in it. */
    currency: string
    /** `free`, `starter`, `growth`, `scale` or `self_hosted`. */
    plan: string
    /** False on the test side. */
    livemode: boolean
    /** When the store was opened. */
    created_at: string
  }
  /** The calling key, and what is left to it. */
  api: {
    /** What the calling key may do. */
    permissions: string[]
    /** Calls a minute; 0 means no limit. */
    rate_limit: number
    /** Calls a month of the plan; null means none. */
    monthly_quota: number | null
    /** Calls of this month, this one included. */
    monthly_used: number
    /** When the next month begins (UTC). */
    resets_at: string
  }
  /** What is switched on. */
  features: {
    /** The affiliate programme. */
    affiliates: boolean
    /** Shipping of physical products. */
    shipping: boolean
    /** Recurring products. */
    subscriptions: boolean
  }
}

/** Where something goes. */
export interface Address {
  /** Who receives it. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region: string | null
  /** ZIP or postal code. */
  postal_code: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone: string | null
}

/** A change of a customer's balance. */
export interface BalanceEntry {
  /** Of the entry. */
  id: number
  /** Always `balance_entry`. */
  object: 'balance_entry'
  /** Whose balance. */
  customer_id: number
  /** What came to it, or below 0 went from it. */
  amount_cents: number
  /** What it was then. */
  balance_cents: number
  /** Why; `refund` for money of an order. */
  reason: string
  /** The order that it is about. */
  order_id: string | null
  /** When. */
  created_at: string
}

export type CategoriesListQuery = PageQuery

export interface CategoriesReorderBody {
  /** All of them, each once, in their new order. */
  ids: number[]
}

/** The category. */
export interface Category {
  /** Of the category. */
  id: number
  /** Always `category`. */
  object: 'category'
  /** What it is called. */
  name: string
  /** The name in addresses, unique in the store; made from the name when absent. */
  slug: string
  /** What is in it. */
  description: string | null
  /** A picture of it. */
  image_url: string | null
  /** Whether the storefront shows it, or only whoever has the address. */
  visibility: 'public' | 'unlisted'
  /** Its icon, such as a name or an emoji. */
  icon: string | null
  /** Its place, from 0. */
  position: number
  /** Products in it. */
  product_count: number
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export type CategoryPatch = Partial<Pick<
  Category,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility' | 'icon'
>>

export interface CategoryProducts {
  /** Its products from now on, each once. */
  product_ids: string[]
}

/** The coupon. */
export interface Coupon {
  /** Of the coupon. */
  id: number
  /** Always `coupon`. */
  object: 'coupon'
  /** What customers type; compared without case, unique in the store. */
  code: string
  /** A part of the price, or an amount. */
  type: 'percentage' | 'fixed'
  /** Of a `percentage`: above 0, up to 100. Null for the other type. */
  discount_percent: number | null
  /** Of a `fixed` coupon: minor units. Null for the other type. */
  amount_cents: number | null
  /** How many orders may use it; null means any number. */
  max_uses: number | null
  /** The same for one customer, known by email. */
  max_uses_per_customer: number | null
  /** What the lines it applies to have to come to, before it; null means anything. */
  min_order_cents: number | null
  /** From when; null means at once. */
  starts_at: string | null
  /** Until when, this moment no longer; null means for ever. */
  expires_at: string | null
  /** Products it applies to, by hash. */
  product_ids: string[]
  /** Variants it applies to. */
  variant_ids: number[]
  /** Categories it applies to. With all three lists empty it applies to everything. */
  category_ids: number[]
  /** How the order is paid; empty means any way. */
  payment_methods: ('manual' | 'crypto' | 'card' | 'balance' | 'test')[]
  /** Who may use it; empty means everybody. */
  allowed_emails: string[]
  /** Whether renewals of a subscription keep it. */
  applies_to_renewals: boolean
  /** Whether it can be used. */
  active: boolean
  /** For the seller. */
  note: string | null
  /** Orders that used it and did not expire and were not cancelled. */
  uses: number
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface CouponCheck {
  /** The code, without case. */
  code: string
  /** What is bought, 1 to 50 lines. */
  items: {
    /** The product hash; the numeric id is accepted too. */
    product_id: string
    /** Absent: the default variant. */
    variant_id?: number
    /** Units. */
    quantity: number
  }[]
  /** Who buys; absent, limits of customers are not looked at. */
  email?: string
}

export interface CouponPatch extends Partial<Pick<
  Coupon,
  'code' | 'type' | 'discount_percent' | 'amount_cents' | 'max_uses' | 'max_uses_per_customer' |
    'min_order_cents' | 'starts_at' | 'expires_at' | 'variant_ids' | 'category_ids' |
    'payment_methods' | 'allowed_emails' | 'applies_to_renewals' | 'active' | 'note'
>> {
  /** Products it applies to. */
  product_ids?: string[]
}

export interface CouponsListQuery extends PageQuery {
  /** `true` or `false`. */
  active?: boolean
  /** The code, whole and without case. */
  code?: string
  /** `percentage` or `fixed`. */
  type?: 'percentage' | 'fixed'
}

export type CustomersListBalanceEntriesQuery = PageQuery

/** What was handed over. */
export interface Delivery {
  /** Of the delivery. */
  id: number
  /** Always `delivery`. */
  object: 'delivery'
  /** The order. */
  order_id: string
  /** The line it delivers. */
  order_item_id: number
  /** The product hash. */
  product_id: string
  /** The variant. */
  variant_id: number
  /** The delivery type of the variant. */
  type: string
  /** `pending` waits for stock or for the seller. */
  status: 'pending' | 'delivered' | 'failed' | 'replaced' | 'revoked'
  /** The keys, the oldest of the stock first. */
  keys: string[]
  /** Files to download, as they are now; none where it does not hold any more. */
  files: {
    /** The file. */
    id: number
    /** Its name. */
    name: string
    /** Its size. */
    size_bytes: number
    /** A signed address, good for 15 minutes. */
    url: string
    /** Until when. */
    url_expires_at: string
  }[]
  /** What was delivered as text. */
  text: string | null
  /** Why it failed. */
  error: string | null
  /** How often it was tried. */
  attempts: number
  /** When it was handed over. */
  delivered_at: string | null
  /** When it was due. */
  created_at: string
}

export type DetailsPatch = Partial<ProductDetails>

/** A type of event. */
export interface EventType {
  /** The event type. */
  type:
    | 'order.created'
    | 'order.completed'
    | 'order.partially_paid'
    | 'order.manual_review'
    | 'order.expired'
    | 'order.cancelled'
    | 'order.refunded'
    | 'product.out_of_stock'
    | 'product.restocked'
    | 'product.deleted'
    | 'review.created'
    | 'question.created'
    | 'question.answered'
    | 'customer.created'
    | 'withdrawal.completed'
    | 'affiliate.partner_applied'
    | 'affiliate.conversion'
    | 'affiliate.payout_requested'
    | 'affiliate.payout_sent'
  /** When it is sent. */
  description: string
}

export interface EventsDeliveriesQuery extends PageQuery {
  /** One or several statuses. */
  status?: ('pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled')[]
  /** One or several event types. */
  event_type?: (
    | 'order.created'
    | 'order.completed'
    | 'order.partially_paid'
    | 'order.manual_review'
    | 'order.expired'
    | 'order.cancelled'
    | 'order.refunded'
    | 'product.out_of_stock'
    | 'product.restocked'
    | 'product.deleted'
    | 'review.created'
    | 'question.created'
    | 'question.answered'
    | 'customer.created'
    | 'withdrawal.completed'
    | 'affiliate.partner_applied'
    | 'affiliate.conversion'
    | 'affiliate.payout_requested'
    | 'affiliate.payout_sent'
  )[]
  /** The endpoint. */
  webhook_id?: string
  /** The event. */
  event_id?: string
  /** `true` for samples only, `false` without them. */
  test?: boolean
  /** Happened at this moment or later. */
  created_from?: string
  /** Happened before this moment. */
  created_to?: string
}

export type FilesCreateBody = NewProductFile | {
  /** The file. */
  file: Blob
  /** What it is called, if not as it was sent. */
  name?: string
  /** Of which variant; of all where left out. */
  variant_id?: string
}

/** A parcel of an order. */
export interface Fulfillment {
  /** Of the fulfillment. */
  id: number
  /** Always `fulfillment`. */
  object: 'fulfillment'
  /** The order. */
  order_id: string
  /** Where it stands. `open` waits for the carrier. */
  status: 'open' | 'shipped' | 'delivered' | 'cancelled' | 'failed'
  /** What the carrier says of it; null where nothing is known. */
  shipment_status:
    | 'label_printed'
    | 'in_transit'
    | 'out_for_delivery'
    | 'attempted_delivery'
    | 'delivered'
    | 'failure'
    | null
  /** Where it starts; null where that is not known. */
  location_id: number | null
  /** Who carries it. */
  carrier_code: string
  /** The carrier's number of it. */
  tracking_number: string | null
  /** Where the customer follows it. */
  tracking_url: string | null
  /** What is in it. */
  items: {
    /** The line of the order. */
    order_item_id: number
    /** Units of it. */
    quantity: number
  }[]
  /** When it left. */
  shipped_at: string | null
  /** When it arrived. */
  delivered_at: string | null
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface FulfillmentPatch {
  /** Who carries it. */
  carrier_code?: string
  /** The carrier's number of it; null clears. */
  tracking_number?: string | null
  /** Where the customer follows it; null clears. */
  tracking_url?: string | null
  /** What the carrier says of it; null where nothing is known. */
  shipment_status?:
    | 'label_printed'
    | 'in_transit'
    | 'out_for_delivery'
    | 'attempted_delivery'
    | 'delivered'
    | 'failure'
    | null
}

export interface FulfillmentsListQuery extends PageQuery {
  /** One or several statuses. */
  status?: ('open' | 'shipped' | 'delivered' | 'cancelled' | 'failed')[]
  /** The order. */
  order_id?: string
}

/** A card that holds several products. */
export interface Group {
  /** Of the group. */
  id: number
  /** Always `group`. */
  object: 'group'
  /** What it is called. */
  name: string
  /** The name in addresses, unique in the store; made from the name when absent. */
  slug: string
  /** What is in it. */
  description: string | null
  /** A picture of it. */
  image_url: string | null
  /** Whether the storefront shows it, or only whoever has the address. */
  visibility: 'public' | 'unlisted'
  /** Its products by hash, in their order. */
  product_ids: string[]
  /** Its place, from 0. */
  position: number
  /** Products in it. */
  product_count: number
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export type GroupPatch = Partial<Pick<
  Group,
  'name' | 'slug' | 'description' | 'image_url' | 'visibility'
>>

export interface GroupProducts {
  /** Its products from now on, each once. */
  product_ids: string[]
}

export type GroupsListQuery = PageQuery

export interface GroupsReorderBody {
  /** All of them, each once, in their new order. */
  ids: number[]
}

/** An order with its items. */
export interface ListedOrder {
  /** Of the order; the `invoice_id` of other records. */
  id: string
  /** Always `order`. */
  object: 'order'
  /** For people; counts up in the store, with gaps. */
  number: number
  /** Where the order stands. */
  status:
    | 'pending'
    | 'partially_paid'
    | 'manual_review'
    | 'paid'
    | 'completed'
    | 'expired'
    | 'cancelled'
    | 'refunded'
  /** How much was refunded. */
  refund_status: 'none' | 'partial' | 'full'
  /** How much was shipped. */
  fulfillment_status: 'not_required' | 'unfulfilled' | 'partial' | 'fulfilled'
  /** Where it was made. */
  source: 'storefront' | 'api' | 'embed'
  /** ISO 4217. */
  currency: string
  /** The sum of the lines before any coupon. */
  subtotal_cents: number
  /** What a coupon took off. */
  discount_cents: number
  /** What shipping costs. */
  shipping_cents: number
  /** Subtotal, less discount, plus shipping. */
  total_cents: number
  /** What was paid; may exceed the total. */
  paid_cents: number
  /** What was given back. */
  refunded_cents: number
  /** How it is paid; null until that is known. */
  payment_method: string | null
  /** Who bought. */
  customer: {
    /** The customer. */
    id: number
    /** In lower case. */
    email: string
    /** As given with the order. */
    name: string | null
    /** ISO 3166-1 alpha-2. */
    country: string | null
  }
  /** The lines, as they were sent. */
  items: OrderItem[]
  /** The coupon that was used. */
  coupon: {
    /** The code that was used. */
    code: string
    /** `percentage` or `fixed`. */
    type: string
    /** What it took off. */
    discount_cents: number
  } | null
  /** Who led the customer here. */
  affiliate: {
    /** Who earns a commission. */
    partner_id: string
    /** The link or coupon that led here. */
    link_code: string
  } | null
  /** Where it goes. */
  shipping_address: Address | null
  /** How it goes. */
  shipping: {
    /** The shipping zone. */
    zone_id: number
    /** The shipping rate. */
    rate_id: number
    /** The name of the rate. */
    name: string
    /** Who carries it. */
    carrier_code: string
    /** Earliest arrival. */
    min_days: number | null
    /** Latest arrival. */
    max_days: number | null
  } | null
  /** What the customer was asked. */
  custom_fields: Record<string, string>
  /** The caller's notes. */
  metadata: Record<string, string>
  /** Seen by the seller only. */
  note: string | null
  /** The customer's address. */
  ip: string | null
  /** The customer's browser. */
  user_agent: string | null
  /** When it expires unless it is paid. */
  expires_at: string | null
  /** When it was paid in full. */
  paid_at: string | null
  /** When everything was delivered. */
  completed_at: string | null
  /** When it was cancelled. */
  cancelled_at: string | null
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** A product, with the sections that were asked for. */
export interface ListedProduct extends Product {
  details?: ProductDetails
  seo?: ProductSeo
  /** How it can be paid. */
  methods?: ProductMethod[]
  /** Pictures and videos, by position. */
  media?: ProductMedia[]
  /** What exactly is sold, by sort order. */
  variants?: Variant[]
}

/** A webhook endpoint with its statistics. */
export interface ListedWebhook extends Webhook {
  /** Its deliveries of the past 7 days. */
  stats: WebhookStats
}

/** A webhook delivery. */
export interface ListedWebhookDelivery {
  /** Of the delivery. */
  id: number
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery'
  /** `delivering` while an attempt runs. */
  status: 'pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled'
  /** How often it was tried. */
  attempts: number
  /** When it is tried next; null if never, or parked. */
  next_attempt_at: string | null
  /** What the receiver answered last. */
  last_status_code: number | null
  /** `code: sentence` of the last failure; null on success. */
  last_error: string | null
  /** How long the last attempt took. */
  last_duration_ms: number | null
  /** What is told. */
  event: {
    /** The event; receivers discard doubles by it. */
    id: string
    /** Its type. */
    type: string
    /** Whether it is a sample. */
    test: boolean
    /** The record it tells of. */
    object_id: string
  }
  /** Whom it is told to. */
  webhook: {
    /** The endpoint. */
    id: string
    /** Its address now. */
    url: string
    /** What it is for. */
    description: string | null
    /** Whether it is gone. */
    deleted: boolean
  }
  /** When the event happened. */
  created_at: string
  /** When it was last tried or changed. */
  updated_at: string
  /** Whether a value is hidden from this key. */
  payload_redacted: boolean
}

/** Where parcels start. */
export interface Location {
  /** Of the location. */
  id: number
  /** Always `location`. */
  object: 'location'
  /** What it is called. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region: string | null
  /** ZIP or postal code. */
  postal_code: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone: string | null
  /** Whether parcels start there. */
  active: boolean
  /** Where parcels start unless another is named. */
  is_default: boolean
}

export type LocationPatch = Partial<Pick<
  Location,
  'name' | 'line1' | 'line2' | 'city' | 'region' | 'postal_code' | 'country' | 'phone' | 'active'
    | 'is_default'
>>

export type MediaCreateBody = NewMedia | {
  /** The file. */
  file: Blob
  /** What it is; told from an upload itself. */
  kind?: 'image' | 'video'
  /** Whether it stands for the product; only an image can. */
  is_main?: 'true' | 'false'
}

export interface MediaPatch {
  /** Whether it stands for the product; only an image can. */
  is_main?: boolean
  /** Facts such as a text for those who do not see it; replaces those it had. */
  meta?: Record<string, string | number | boolean>
}

export interface MethodsPatch {
  /** Methods that are not named keep their state. */
  methods: NewProductMethod[]
}

/** Where something is to go. */
export interface NewAddress {
  /** Who receives it. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2?: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region?: string | null
  /** ZIP or postal code. */
  postal_code?: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone?: string | null
}

export interface NewCategory {
  /** What it is called. */
  name: string
  /** The name in addresses, unique in the store; made from the name when absent. */
  slug?: string
  /** What is in it. */
  description?: string | null
  /** A picture of it. */
  image_url?: string | null
  /** Whether the storefront shows it, or only whoever has the address. Default `"public"`. */
  visibility?: 'public' | 'unlisted'
  /** Its icon, such as a name or an emoji. */
  icon?: string | null
}

export interface NewCoupon {
  /** Absent: one is made. */
  code?: string
  /** A part of the price, or an amount. */
  type: 'percentage' | 'fixed'
  /** Of a `percentage`: above 0, up to 100. Null for the other type. */
  discount_percent?: number | null
  /** Of a `fixed` coupon: minor units. Null for the other type. */
  amount_cents?: number | null
  /** How many orders may use it; null means any number. */
  max_uses?: number | null
  /** The same for one customer, known by email. */
  max_uses_per_customer?: number | null
  /** What the lines it applies to have to come to, before it; null means anything. */
  min_order_cents?: number | null
  /** From when; null means at once. */
  starts_at?: string | null
  /** Until when, this moment no longer; null means for ever. */
  expires_at?: string | null
  /** Products it applies to. Default `[]`. */
  product_ids?: string[]
  /** Variants it applies to. Default `[]`. */
  variant_ids?: number[]
  /**
   * Categories it applies to. With all three lists empty it applies to everything. Default `[]`.
   */
  category_ids?: number[]
  /** How the order is paid; empty means any way. Default `[]`. */
  payment_methods?: ('manual' | 'crypto' | 'card' | 'balance' | 'test')[]
  /** Who may use it; empty means everybody. Default `[]`. */
  allowed_emails?: string[]
  /** Whether renewals of a subscription keep it. Default `false`. */
  applies_to_renewals?: boolean
  /** Whether it can be used. Default `true`. */
  active?: boolean
  /** For the seller. */
  note?: string | null
}

export interface NewDelivery {
  /** The line that is delivered. */
  order_item_id: number
  /** What is handed over. Absent: keys from stock, or the files of the product. */
  text?: string
}

export interface NewFulfillment {
  /** What is in it. Absent: all that is left. */
  items?: {
    /** A physical line of the order. */
    order_item_id: number
    /** Units of it that are left. */
    quantity: number
  }[]
  /** Absent: the default location. */
  location_id?: number
  /** Absent: who carries the rate of the order, else `custom`. */
  carrier_code?: string
  /** The carrier's number of it; null clears. */
  tracking_number?: string | null
  /** Where the customer follows it; null clears. */
  tracking_url?: string | null
  /** Absent: it has left. `label_printed` makes it `open`. */
  shipment_status?:
    | 'label_printed'
    | 'in_transit'
    | 'out_for_delivery'
    | 'attempted_delivery'
    | 'delivered'
    | 'failure'
    | null
  /** Writes to the customer what is in it and how to follow it. Default `false`. */
  notify_customer?: boolean
}

export interface NewGroup {
  /** What it is called. */
  name: string
  /** The name in addresses, unique in the store; made from the name when absent. */
  slug?: string
  /** What is in it. */
  description?: string | null
  /** A picture of it. */
  image_url?: string | null
  /** Whether the storefront shows it, or only whoever has the address. Default `"public"`. */
  visibility?: 'public' | 'unlisted'
}

export interface NewLocation {
  /** What it is called. */
  name: string
  /** Street and number. */
  line1: string
  /** Flat, floor or company. */
  line2?: string | null
  /** Town or city. */
  city: string
  /** State or province. */
  region?: string | null
  /** ZIP or postal code. */
  postal_code?: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
  /** For the carrier. */
  phone?: string | null
  /** Whether parcels start there. Default `true`. */
  active?: boolean
  /** Where parcels start unless another is named. Default `false`. */
  is_default?: boolean
}

export interface NewManualPayment {
  /** Minor units; absent: what is still owed. */
  amount_cents?: number
  /** Such as the number of a transfer. */
  reference?: string | null
  /** For the seller. */
  note?: string | null
  /** What the customer says of it. */
  proof_text?: string | null
  /** A picture or document. */
  proof_url?: string | null
  /** `pending_review` waits for approve or reject. Default `"approved"`. */
  status?: 'approved' | 'pending_review'
}

export interface NewMedia {
  /** Where it is. A picture is fetched and kept; a video stays where it is. */
  url: string
  /** What it is; told from an upload itself. Default `"image"`. */
  kind?: 'image' | 'video'
  /** Whether it stands for the product; only an image can. */
  is_main?: boolean
}

export interface NewMediaOrder {
  /** All of them, each once, in their new order. */
  ids: number[]
}

export interface NewOrder {
  /** What is bought, 1 to 50 lines. */
  items: NewOrderItem[]
  /** Who buys. */
  customer: {
    /** Kept in lower case; a new one makes a customer. */
    email: string
    /** The name to address. */
    name?: string | null
    /** ISO 3166-1 alpha-2. */
    country?: string | null
  }
  /** Has to be enabled for every product. */
  payment_method?: 'manual' | 'crypto' | 'card' | 'balance' | 'test'
  /** A coupon to apply. */
  coupon_code?: string
  /** The link that led here; an unknown one is ignored. */
  affiliate_code?: string
  /** Needed for physical products. */
  shipping_address?: NewAddress | null
  /** Needed for physical products. */
  shipping_rate_id?: number
  /** What the customer was asked. */
  custom_fields?: Record<string, string>
  /** Notes of your own. */
  metadata?: Record<string, string>
  /** The customer's address. */
  ip?: string | null
  /** The customer's browser. */
  user_agent?: string | null
  /** Where it is made. Default `"api"`. */
  source?: 'api' | 'embed'
  /** Where the customer goes after paying. */
  return_url?: string
  /** Records a manual payment of the whole total at once. Default `false`. */
  mark_paid?: boolean
}

/** What is bought, and how much of it. */
export interface NewOrderItem {
  /** The product hash; the numeric id is accepted too. */
  product_id: string
  /** Absent: the default variant. */
  variant_id?: number
  /** Units. */
  quantity: number
}

export interface NewProduct {
  /** What it is called, 1 to 128 characters. */
  name: string
  /** The name in addresses, unique in the store; made from the name when absent. */
  slug?: string
  /** What is handed over. */
  type?: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Sold once, as a subscription, or as a bundle. */
  product_kind?: 'single' | 'subscription' | 'bundle'
  /** Only an active product is sold. */
  status?: 'draft' | 'active' | 'archived'
  /** A switch beside the status: both must allow the sale. */
  active?: boolean
  /** Who sees it; `on_hold` is not sold. */
  visibility?: 'public' | 'unlisted' | 'private' | 'on_hold'
  /** Minor units; the default variant's price, both are one value. */
  price_cents?: number
  /** Taken off each unit, 0 to 100; a variant may have its own. */
  discount_percent?: number
  /** ISO 4217; the currency of the store. */
  currency?: string
  /** Whether coupons apply to it. */
  accepts_coupons?: boolean
  /** Fewest units in one order. */
  min_qty?: number
  /** Most units in one order; null means no limit. */
  max_qty?: number | null
  /** Units one customer may ever buy; null means no limit. */
  sell_limit?: number | null
  /** Whether it is sent to an address. */
  requires_shipping?: boolean
  /** The seller's own number, unique in the store. */
  sku?: string | null
  /** Shown with what is delivered. */
  delivery_note?: string | null
  /** Marks it in the storefront. */
  best_seller?: boolean
  /** Notes of your own: 20 keys of 40 characters, values of 500. */
  metadata?: Record<string, string>
  /** Units at which stock counts as low; null means never. */
  stock_alert_threshold?: number | null
  /** Categories to list it in; replaces the list it had. */
  category_ids?: number[]
  /** Texts of its page. */
  details?: DetailsPatch
  /** Texts for search engines and shares. */
  seo?: SeoPatch
  /** Methods that are not named keep their state. */
  methods?: NewProductMethod[]
  /** Without them one is made: "Default", with the product's price. */
  variants?: NewVariant[]
}

export interface NewProductFile {
  /** What it is called; folders are left out. */
  name: string
  /** The bytes. Send a larger file as multipart/form-data. */
  content_base64: string
  /** What it is. */
  mime_type?: string
  /** Of which variant; of all where left out. */
  variant_id?: number
}

/** A way to pay, on or off. */
export type NewProductMethod = ProductMethod

export interface NewRefund {
  /** Minor units; absent: all that is left of what was paid. */
  amount_cents?: number
  /** Why it is given back. Default `"other"`. */
  reason?: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'
  /** For the seller. */
  note?: string | null
  /**
   * Puts what was bought back into stock; only with the refund that is the last. Default `false`.
   */
  restock?: boolean
  /** Credits the customer's balance instead of paying out. Default `false`. */
  to_balance?: boolean
}

export type NewShippingDimensions = ShippingDimensions

export interface NewShippingQuote {
  /** Where it goes, ISO 3166-1 alpha-2. */
  country: string
  /** State or province; compared with those of the zones without case. */
  region?: string | null
  /** What is to be sent, 1 to 50 lines. */
  items: {
    /** The product hash; the numeric id is accepted too. */
    product_id: string
    /** Absent: the default variant. */
    variant_id?: number
    /** Units. */
    quantity: number
  }[]
}

export interface NewShippingRate {
  /** What the customer chooses, 1 to 128 characters. */
  name: string
  /** What else there is to say. */
  description?: string | null
  /** Who carries it; `custom` where none is given. */
  carrier_code?: string
  /**
   * `flat` costs `price_cents`; the others cost what the tier of the weight, the volume, the order
   * total or the number of units says.
   */
  calc_type: 'flat' | 'weight' | 'volumetric' | 'order_total' | 'item_count'
  /** Minor units; what a flat rate costs. */
  price_cents?: number
  /** Price bands, rising; needed unless the rate is flat. */
  tiers?: SentShippingTier[]
  /** Cubic centimetres that count as a kilogram; null means 5000. */
  volumetric_divisor?: number | null
  /** The subtotal after discount from which it is free, in minor units. */
  free_over_cents?: number | null
  /** Earliest arrival, in days. */
  min_days?: number | null
  /** Latest arrival, in days. */
  max_days?: number | null
  /** Whether it is offered. */
  active?: boolean
}

export interface NewShippingZone {
  /** What it is called, 1 to 128 characters. */
  name: string
  /** ISO 3166-1 codes, or `*` for the rest of the world. */
  countries: string[]
  /**
   * Regions of a country of the zone; a country that is not here has all of its own. Default `{}`.
   */
  regions?: Record<string, string[]>
  /** Whether it is used. Default `true`. */
  active?: boolean
  /** How parcels go there. Default `[]`. */
  rates?: NewShippingRate[]
}

export interface NewStockAlert {
  /** Who wants to hear. */
  email: string
  /** Of which variant; any where left out. */
  variant_id?: number
}

export interface NewStockKeys {
  /** The keys, 1 to 5000, each up to 2048 characters. */
  keys: string[]
  /** When false, one key that is there already refuses the call. Default `true`. */
  skip_duplicates?: boolean
  /** When true, nothing is added; `report` says what each line is. Default `false`. */
  dry_run?: boolean
}

export interface NewTest {
  /** Absent: the first type it is subscribed to. */
  type?:
    | 'order.created'
    | 'order.completed'
    | 'order.partially_paid'
    | 'order.manual_review'
    | 'order.expired'
    | 'order.cancelled'
    | 'order.refunded'
    | 'product.out_of_stock'
    | 'product.restocked'
    | 'product.deleted'
    | 'review.created'
    | 'question.created'
    | 'question.answered'
    | 'customer.created'
    | 'withdrawal.completed'
    | 'affiliate.partner_applied'
    | 'affiliate.conversion'
    | 'affiliate.payout_requested'
    | 'affiliate.payout_sent'
}

export interface NewVariant {
  /** What tells it from its siblings. */
  name: string
  /** The name in addresses, unique in the product. */
  slug?: string
  /** What is handed over. */
  delivery_type?: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Minor units, before any discount. */
  price_cents?: number
  /** Taken off each unit; 0 means the product's applies. */
  discount_percent?: number
  /** A former price to show beside it. */
  compare_at_cents?: number | null
  /** Sold where an order names no variant. */
  is_default?: boolean
  /** Whether it is sold. */
  active?: boolean
  /** Its place among its siblings. */
  sort_order?: number
  /** Its own picture. */
  image_url?: string | null
  /** `calculated` counts stock keys, `manual` is set by the seller, `unlimited` never ends. */
  stock_mode?: 'calculated' | 'manual' | 'unlimited'
  /** Units that can be sold now; 0 where stock is unlimited. */
  stock_quantity?: number
  /** The seller's own number, unique in the store. */
  sku?: string | null
  /** A GTIN, EAN or UPC. */
  barcode?: string | null
  /** For shipping by weight. */
  weight_grams?: number | null
  /** When false, stock is not counted. */
  track_inventory?: boolean
  /** When true, orders pass without stock. */
  allow_backorder?: boolean
  /** Units at which stock counts as low. */
  low_stock_threshold?: number | null
  /** Such as size and colour. */
  option_values?: string[]
}

export interface NewVariantOrder {
  /** All of them, each once, in their new order. */
  ids: number[]
}

export interface NewWebhook {
  /** Where events are sent: https, at a public address. */
  url: string
  /** What it is for. */
  description?: string | null
  /** Event types it hears of; `["*"]` means all. */
  events: SubscribedEvent[]
  /** Whether events are sent to it. Default `true`. */
  enabled?: boolean
}

/** A way to ship these items there. */
export interface OfferedShippingRate {
  /** The shipping zone. */
  zone_id: number
  /** The shipping rate; what an order names. */
  rate_id: number
  /** The name of the rate. */
  name: string
  /** Who carries it. */
  carrier_code: string
  /** What shipping costs, in minor units. */
  price_cents: number
  /** Earliest arrival, in days. */
  min_days: number | null
  /** Latest arrival, in days. */
  max_days: number | null
}

/** The order, with all that happened to it. */
export interface Order extends ListedOrder {
  /** What was paid, and how. */
  payments: Payment[]
  /** What was given back. */
  refunds: Refund[]
  /** What was handed over. */
  deliveries: Delivery[]
  /** Every status it had, the oldest first. */
  status_history: {
    /** The status it took. */
    status: string
    /** When. */
    at: string
    /** Why, where somebody said so. */
    reason: string | null
  }[]
}

/** A line of an order. */
export interface OrderItem {
  /** Of the line. */
  id: number
  /** The product hash. */
  product_id: string
  /** The variant. */
  variant_id: number
  /** The name of the product when it was bought. */
  name: string
  /** The name of the variant when it was bought. */
  variant_name: string
  /** The seller's number when it was bought. */
  sku: string | null
  /** What is handed over. */
  delivery_type: string
  /** Units. */
  quantity: number
  /** Minor units, after the discount of product or variant. */
  unit_price_cents: number
  /** The line's share of a coupon. */
  discount_cents: number
  /** Units times price, less the share of a coupon. */
  total_cents: number
}

export interface OrderPatch {
  /** For the seller; null clears. */
  note?: string | null
  /** Notes of your own; replaces all that were there. */
  metadata?: Record<string, string>
  /** Who buys, while the order is unpaid; a new one makes a customer. */
  customer_email?: string
  /** Where it goes, while the order is unpaid; in the zone of its shipping rate. */
  shipping_address?: NewAddress | null
}

export interface OrdersCancelBody {
  /** Why; told with `order.cancelled`. */
  reason?: string | null
}

export interface OrdersListQuery extends PageQuery {
  /** One or several statuses. */
  status?: (
    | 'pending'
    | 'partially_paid'
    | 'manual_review'
    | 'paid'
    | 'completed'
    | 'expired'
    | 'cancelled'
    | 'refunded'
  )[]
  /** `none`, `partial`, `full`. */
  refund_status?: ('none' | 'partial' | 'full')[]
  /** How much was shipped. */
  fulfillment_status?: ('not_required' | 'unfulfilled' | 'partial' | 'fulfilled')[]
  /** The customer's address, whole. */
  email?: string
  /** The customer. */
  customer_id?: number
  /** The product hash; the numeric id is accepted too. */
  product_id?: string
  /** The coupon, without case. */
  coupon_code?: string
  /** How it is paid. */
  payment_method?: ('manual' | 'crypto' | 'card' | 'balance' | 'test' | 'free')[]
  /** `storefront`, `api`, `embed`. */
  source?: ('storefront' | 'api' | 'embed')[]
  /** Made at this moment or later. */
  created_from?: string
  /** Made before this moment. */
  created_to?: string
  /** Paid at this moment or later. */
  paid_from?: string
  /** Paid before this moment. */
  paid_to?: string
  /** Part of the id, number or email, without case. */
  search?: string
  /** A field, with `-` for falling order; ties by id. Default `"-created_at"`. */
  sort?: 'created_at' | '-created_at' | 'paid_at' | '-paid_at' | 'total_cents' | '-total_cents'
}

export interface PageQuery {
  /** Records on a page, 1 to 100. Default `25`. */
  limit?: number
  /** Records to skip. Default `0`. */
  offset?: number
}

/** Where this page lies among all that match. */
export interface Pagination {
  /** Records that match, on all pages. */
  total: number
  /** The page size that was used. */
  limit: number
  /** How many records were skipped. */
  offset: number
  /** Whether another page follows. */
  has_more: boolean
}

/** The payment. */
export interface Payment {
  /** Of the payment. */
  id: number
  /** Always `payment`. */
  object: 'payment'
  /** The order. */
  order_id: string
  /** How it was paid. */
  kind: 'manual' | 'crypto' | 'balance' | 'card' | 'free' | 'test'
  /** A manual payment is approved or rejected; others succeed. */
  status: 'pending_review' | 'approved' | 'rejected' | 'succeeded'
  /** Minor units. */
  amount_cents: number
  /** ISO 4217. */
  currency: string
  /** Such as the number of a transfer. */
  reference: string | null
  /** What the customer says of it. */
  proof_text: string | null
  /** A picture or document. */
  proof_url: string | null
  /** The seller's note. */
  note: string | null
  /** When it was approved or rejected. */
  reviewed_at: string | null
  /** When it was recorded. */
  created_at: string
}

export interface PaymentReview {
  /** For the seller; null clears. */
  note?: string | null
}

/** The product. */
export interface Product {
  /** The product hash. */
  id: string
  /** Always `product`. */
  object: 'product'
  /** The same as `id`. */
  hash_id: string
  /** The numeric id; paths accept it too. */
  legacy_id: number
  /** What it is called, 1 to 128 characters. */
  name: string
  /** The name in addresses, unique in the store; made from the name when absent. */
  slug: string
  /** What is handed over. */
  type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Sold once, as a subscription, or as a bundle. */
  product_kind: 'single' | 'subscription' | 'bundle'
  /** Only an active product is sold. */
  status: 'draft' | 'active' | 'archived'
  /** A switch beside the status: both must allow the sale. */
  active: boolean
  /** Who sees it; `on_hold` is not sold. */
  visibility: 'public' | 'unlisted' | 'private' | 'on_hold'
  /** Minor units; the default variant's price, both are one value. */
  price_cents: number
  /** Taken off each unit, 0 to 100; a variant may have its own. */
  discount_percent: number
  /** ISO 4217; the currency of the store. */
  currency: string
  /** Whether coupons apply to it. */
  accepts_coupons: boolean
  /** Fewest units in one order. */
  min_qty: number
  /** Most units in one order; null means no limit. */
  max_qty: number | null
  /** Units one customer may ever buy; null means no limit. */
  sell_limit: number | null
  /** Whether it is sent to an address. */
  requires_shipping: boolean
  /** The seller's own number, unique in the store. */
  sku: string | null
  /** Shown with what is delivered. */
  delivery_note: string | null
  /** Marks it in the storefront. */
  best_seller: boolean
  /** Notes of your own: 20 keys of 40 characters, values of 500. */
  metadata: Record<string, string>
  /** Units at which stock counts as low; null means never. */
  stock_alert_threshold: number | null
  /** Units ever sold. */
  sales_count: number
  /** Where it is listed. */
  categories: {
    /** The category. */
    id: number
    /** Its name. */
    name: string
    /** Its icon. */
    icon: string | null
  }[]
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** Texts of its page. */
export interface ProductDetails {
  /** One or two sentences. */
  short_description: string | null
  /** HTML; scripts and unsafe parts are removed. */
  description_html: string | null
  /** A video to show. */
  youtube_url: string | null
  /** Told to the customer on delivery. */
  delivered_message: string | null
  /** Short facts by name. */
  highlights: Record<string, string>
}

/** What customers of a product download. */
export interface ProductFile {
  /** Of the file. */
  id: number
  /** Always `product_file`. */
  object: 'product_file'
  /** Of which variant; null means of all. */
  variant_id: number | null
  /** What it is called. */
  name: string
  /** How large it is. */
  size_bytes: number
  /** What was said of it when it came. */
  mime_type: string
  /** Its checksum, in hex. */
  sha256: string
  /** A signed address to download it from, for 15 minutes. */
  download_url: string
  /** When it was added. */
  created_at: string
}

/** A picture or a video. */
export interface ProductMedia {
  /** Of this picture or video. */
  id: number
  /** What it is. */
  kind: 'image' | 'video'
  /** Where it is. */
  url: string
  /** Its place, from 0. */
  position: number
  /** Whether it stands for the product. */
  is_main: boolean
  /** Facts such as width and height. */
  meta: Record<string, unknown>
  /** When it was added. */
  created_at: string
}

/** A payment method of the product. */
export interface ProductMethod {
  /** A payment method of the store. */
  method: 'manual' | 'crypto' | 'card' | 'balance' | 'test'
  /** Whether this product can be paid with it. */
  enabled: boolean
}

export type ProductPatch = Partial<Pick<
  NewProduct,
  'name' | 'slug' | 'type' | 'product_kind' | 'status' | 'active' | 'visibility' | 'price_cents' |
    'discount_percent' | 'currency' | 'accepts_coupons' | 'min_qty' | 'max_qty' | 'sell_limit' |
    'requires_shipping' | 'sku' | 'delivery_note' | 'best_seller' | 'metadata' |
    'stock_alert_threshold' | 'category_ids' | 'details' | 'seo' | 'methods'
>>

/** A product with all its sections. */
export interface ProductSections {
  product: Product
  details: ProductDetails
  seo: ProductSeo
  /** How it can be paid. */
  methods: ProductMethod[]
  /** Pictures and videos, by position. */
  media: ProductMedia[]
  /** What exactly is sold, by sort order. */
  variants: Variant[]
}

/** Texts for search engines and shares. */
export interface ProductSeo {
  /** Title for search engines. */
  meta_title: string | null
  /** Summary for search engines. */
  meta_description: string | null
  /** Title when shared. */
  og_title: string | null
  /** Summary when shared. */
  og_description: string | null
  /** Picture when shared. */
  og_image_url: string | null
}

export interface ProductsListQuery extends PageQuery {
  /** `draft`, `active`, `archived`. */
  status?: ('draft' | 'active' | 'archived')[]
  /** `public`, `unlisted`, `private`, `on_hold`. */
  visibility?: ('public' | 'unlisted' | 'private' | 'on_hold')[]
  /** What is handed over. */
  type?: ('serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license')[]
  /** `single`, `subscription`, `bundle`. */
  product_kind?: ('single' | 'subscription' | 'bundle')[]
  /** `true` or `false`. */
  active?: boolean
  /** Whether a variant of it can be sold now. */
  in_stock?: boolean
  /** Products in this category. */
  category_id?: number
  /** Products in this group. */
  group_id?: string
  /** Part of the name, slug or SKU, without case. */
  search?: string
  /** Made at this moment or later. */
  created_from?: string
  /** Made before this moment. */
  created_to?: string
  /** Sections to add to each product. */
  include?: ('details' | 'seo' | 'methods' | 'media' | 'variants')[]
  /** A field, with `-` for falling order; ties by id. Default `"-created_at"`. */
  sort?:
    | 'created_at'
    | '-created_at'
    | 'name'
    | '-name'
    | 'price_cents'
    | '-price_cents'
    | 'sales_count'
    | '-sales_count'
}

/** What was given back. */
export interface Refund {
  /** Of the refund. */
  id: number
  /** Always `refund`. */
  object: 'refund'
  /** The order. */
  order_id: string
  /** Minor units. */
  amount_cents: number
  /** ISO 4217. */
  currency: string
  /** Why it was given back. */
  reason: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other'
  /** The seller's note. */
  note: string | null
  /** Whether unopened keys went back into stock. */
  restock: boolean
  /** When it was recorded. */
  created_at: string
}

/** What the receiver said. */
export interface SendResult {
  /** Whether the receiver answered with 2xx in time. */
  ok: boolean
  /** What it answered. */
  status_code: number | null
  /** `code: sentence` of a failure; null on success. */
  error: string | null
  /** How long it took. */
  duration_ms: number
}

export type SentShippingTier = ShippingTier

export type SeoPatch = Partial<ProductSeo>

/** How big one unit is, for volumetric rates. */
export interface ShippingDimensions {
  /** Centimetres, up to two decimals. */
  length_cm: number | null
  /** Centimetres, up to two decimals. */
  width_cm: number | null
  /** Centimetres, up to two decimals. */
  height_cm: number | null
}

export type ShippingListLocationsQuery = PageQuery

export type ShippingListZonesQuery = PageQuery

/** A way to ship into a zone, and its price. */
export interface ShippingRate {
  /** Of the rate. */
  id: number
  /** What the customer chooses, 1 to 128 characters. */
  name: string
  /** What else there is to say. */
  description: string | null
  /** Who carries it; `custom` where none is given. */
  carrier_code: string
  /**
   * `flat` costs `price_cents`; the others cost what the tier of the weight, the volume, the order
   * total or the number of units says.
   */
  calc_type: 'flat' | 'weight' | 'volumetric' | 'order_total' | 'item_count'
  /** Minor units; what a flat rate costs. */
  price_cents: number
  /** Price bands, rising. */
  tiers: ShippingTier[]
  /** Cubic centimetres that count as a kilogram; null means 5000. */
  volumetric_divisor: number | null
  /** The subtotal after discount from which it is free, in minor units. */
  free_over_cents: number | null
  /** Earliest arrival, in days. */
  min_days: number | null
  /** Latest arrival, in days. */
  max_days: number | null
  /** Whether it is offered. */
  active: boolean
}

export interface ShippingRatePatch extends Partial<NewShippingRate> {
  /** A rate of this zone; absent: a new one. */
  id?: number
}

/** A price band of a rate that is not flat. */
export interface ShippingTier {
  /** Where it begins, itself in it: grams, minor units or units. */
  min: number
  /** Where it ends, itself in it; null means nowhere. */
  max: number | null
  /** What shipping costs in it, in minor units. */
  price_cents: number
}

/** Where parcels go, and what that costs. */
export interface ShippingZone {
  /** Of the zone. */
  id: number
  /** What it is called, 1 to 128 characters. */
  name: string
  /** ISO 3166-1 codes, or `*` for the rest of the world. */
  countries: string[]
  /** Regions of a country; a country that is not here has all of its own. */
  regions: Record<string, string[]>
  /** Whether it is used. */
  active: boolean
  /** Its place among the zones, from 0. */
  position: number
  /** How parcels go there, in the order they were sent. */
  rates: ShippingRate[]
}

export interface ShippingZoneOrder {
  /** All zones of the store, each once, in their new order. */
  ids: number[]
}

export interface ShippingZonePatch extends Partial<Pick<
  ShippingZone,
  'name' | 'countries' | 'active'
>> {
  /** Regions of a country of the zone; a country that is not here has all of its own. */
  regions?: Record<string, string[]>
  /** Replaces the list; a rate with an `id` is changed, the others are new. */
  rates?: ShippingRatePatch[]
}

/** A customer who wants to hear of new stock. */
export interface StockAlert {
  /** Of the sign-up. */
  id: number
  /** Always `stock_alert`. */
  object: 'stock_alert'
  /** Who wants to hear. */
  email: string
  /** Of which variant; null means of any. */
  variant_id: number | null
  /** `pending` until the product is in stock again. */
  status: 'pending' | 'notified' | 'unsubscribed'
  /** When the mail was written. */
  notified_at: string | null
  /** When they signed up. */
  created_at: string
}

export interface StockAlertThreshold {
  /** Units at which stock counts as low; null means never. */
  stock_alert_threshold: number | null
}

export interface StockAlertsListQuery extends PageQuery {
  /** `pending`, `notified`, `unsubscribed`. */
  status?: ('pending' | 'notified' | 'unsubscribed')[]
}

/** A stock key. */
export interface StockKey {
  /** Of the key. */
  id: number
  /** Always `stock_key`. */
  object: 'stock_key'
  /** The variant it is stock of. */
  variant_id: number
  /** The key; masked unless `reveal=true`. */
  value: string
  /** `reserved` is held back by the seller. */
  status: 'available' | 'reserved' | 'sold' | 'burned' | 'revoked'
  /** The order it was sold with. */
  order_id: string | null
  /** When it was sold. */
  sold_at: string | null
  /** When it was added. */
  created_at: string
}

/** A signed address of a download. */
export interface StockKeyExport {
  /** Where the CSV is. */
  url: string
  /** Until when. */
  expires_at: string
}

export interface StockKeyPatch {
  /** Another text. */
  value?: string
  /** `reserved` holds it back; `burned` and `revoked` are final. */
  status?: 'available' | 'reserved' | 'burned' | 'revoked'
}

/** What a dry run found, by line numbers from 1. */
export interface StockKeyReport {
  /** Lines that would be added. */
  new: number
  /** Lines whose key is in stock, or stands on an earlier line. */
  duplicate: number[]
  /** Lines whose key is no longer in stock: it was sold, or withdrawn. */
  already_sold: number[]
  /** Lines that cannot be a key. */
  malformed: {
    /** From 1. */
    line: number
    /** Why. */
    reason: string
  }[]
}

export interface StockListKeysQuery extends PageQuery {
  /** `available`, `reserved`, `sold`, `burned`, `revoked`. */
  status?: ('available' | 'reserved' | 'sold' | 'burned' | 'revoked')[]
  /** `true` shows the keys in full. */
  reveal?: boolean
}

export interface StockPatch {
  /** Units to sell from now on. */
  quantity?: number
  /** Units more, or fewer where negative. */
  delta?: number
}

/** An event type, or `*` for all of them. */
export type SubscribedEvent = 'order.created' | 'order.completed' | 'order.partially_paid' | 'order.manual_review' | 'order.expired' | 'order.cancelled' | 'order.refunded' | 'product.out_of_stock' | 'product.restocked' | 'product.deleted' | 'review.created' | 'question.created' | 'question.answered' | 'customer.created' | 'withdrawal.completed' | 'affiliate.partner_applied' | 'affiliate.conversion' | 'affiliate.payout_requested' | 'affiliate.payout_sent' | '*'

/** What exactly is sold. */
export interface Variant {
  /** Of the variant. */
  id: number
  /** Always `variant`. */
  object: 'variant'
  /** The hash of its product. */
  product_id: string
  /** What tells it from its siblings. */
  name: string
  /** The name in addresses, unique in the product. */
  slug: string
  /** What is handed over. */
  delivery_type: 'serial' | 'file' | 'service' | 'dynamic' | 'physical' | 'license'
  /** Minor units, before any discount. */
  price_cents: number
  /** Taken off each unit; 0 means the product's applies. */
  discount_percent: number
  /** A former price to show beside it. */
  compare_at_cents: number | null
  /** Sold where an order names no variant. */
  is_default: boolean
  /** Whether it is sold. */
  active: boolean
  /** Its place among its siblings. */
  sort_order: number
  /** Its own picture. */
  image_url: string | null
  /** `calculated` counts stock keys, `manual` is set by the seller, `unlimited` never ends. */
  stock_mode: 'calculated' | 'manual' | 'unlimited'
  /** Units that can be sold now; 0 where stock is unlimited. */
  stock_quantity: number
  /** The seller's own number, unique in the store. */
  sku: string | null
  /** A GTIN, EAN or UPC. */
  barcode: string | null
  /** For shipping by weight. */
  weight_grams: number | null
  /** When false, stock is not counted. */
  track_inventory: boolean
  /** When true, orders pass without stock. */
  allow_backorder: boolean
  /** Units at which stock counts as low. */
  low_stock_threshold: number | null
  /** Such as size and colour. */
  option_values: string[]
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export type VariantPatch = Partial<Pick<
  Variant,
  'name' | 'slug' | 'delivery_type' | 'price_cents' | 'discount_percent' | 'compare_at_cents' |
    'is_default' | 'active' | 'sort_order' | 'image_url' | 'stock_mode' | 'stock_quantity' | 'sku' |
    'barcode' | 'weight_grams' | 'track_inventory' | 'allow_backorder' | 'low_stock_threshold' |
    'option_values'
>>

/** The stock of a variant. */
export interface VariantStock {
  /** Always `stock`. */
  object: 'stock'
  /** The variant it is stock of. */
  variant_id: number
  /** How it is counted. */
  stock_mode: 'calculated' | 'manual' | 'unlimited'
  /** When false, stock is not counted. */
  track_inventory: boolean
  /** When true, orders pass without stock. */
  allow_backorder: boolean
  /** Units that can be sold now; null where there is no end. */
  available: number | null
  /** Units there are, held ones included. */
  on_hand: number
  /** Units that unpaid orders hold. */
  reserved: number
  /** Units ever sold. */
  sold: number
  /** Units at which stock counts as low. */
  low_stock_threshold: number | null
  /** Whether stock is at its threshold or below. */
  low_stock: boolean
}

/** The webhook endpoint. */
export interface Webhook {
  /** Of the endpoint. */
  id: string
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint'
  /** Where events are sent: https, at a public address. */
  url: string
  /** What it is for. */
  description: string | null
  /** Event types it hears of; `["*"]` means all. */
  events: SubscribedEvent[]
  /** Whether events are sent to it. */
  enabled: boolean
  /** When it was turned off. */
  disabled_at: string | null
  /** `failures`: 40 in a row with no success in 3 days. */
  disabled_reason: 'manual' | 'failures' | null
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** A webhook delivery with all its attempts. */
export interface WebhookDelivery extends ListedWebhookDelivery {
  /** The event as it is sent. */
  payload: Record<string, unknown>
  /** Every attempt, the oldest first. */
  attempt_history: {
    /** Its number, from 1. */
    attempt: number
    /** What the receiver answered. */
    status_code: number | null
    /** The first 4 KiB of the answer; null where `payload_redacted`, as it may repeat it. */
    response_body: string | null
    /** `code: sentence` of a failure; null on success. */
    error: string | null
    /** How long it took. */
    duration_ms: number | null
    /** Whether somebody asked for it. */
    manual: boolean
    /** When it was made. */
    created_at: string
  }[]
}

export type WebhookPatch = Partial<Pick<
  Webhook,
  'url' | 'description' | 'events' | 'enabled'
>>

/** Deliveries of the past 7 days. */
export interface WebhookStats {
  /** Deliveries of the past 7 days. */
  total: number
  /** Of these, answered with 2xx. */
  succeeded: number
  /** Of these, given up. */
  failed: number
  /** Deliveries that still wait. */
  pending: number
  /** Succeeded of those that ended, 0 to 1. */
  success_rate: number | null
  /** How long the deciding attempts took. */
  average_duration_ms: number | null
  /** When the last one ended. */
  last_delivery_at: string | null
}

export type WebhooksListQuery = PageQuery

/** What each method sends. */
export const OPERATIONS = {
  account: {
    get: { method: 'GET', path: '/account' },
  },
  orders: {
    list: { method: 'GET', path: '/orders', takes: 'query', list: 'orders' },
    create: { method: 'POST', path: '/orders', takes: 'body' },
    get: { method: 'GET', path: '/orders/:id' },
    update: { method: 'PATCH', path: '/orders/:id', takes: 'body' },
    cancel: { method: 'POST', path: '/orders/:id/cancel', takes: 'body' },
    refund: { method: 'POST', path: '/orders/:id/refund', takes: 'body' },
    listPayments: { method: 'GET', path: '/orders/:id/payments' },
    listDeliveries: { method: 'GET', path: '/orders/:id/deliveries' },
    deliver: { method: 'POST', path: '/orders/:id/deliveries', takes: 'body' },
    resendDeliveries: { method: 'POST', path: '/orders/:id/deliveries/resend' },
    replaceDelivery: { method: 'POST', path: '/orders/:id/deliveries/:delivery_id/replace' },
    addManualPayment: { method: 'POST', path: '/orders/:id/manual-payments', takes: 'body' },
    approveManualPayment: { method: 'POST', path: '/orders/:id/manual-payments/:payment_id/approve', takes: 'body' },
    rejectManualPayment: { method: 'POST', path: '/orders/:id/manual-payments/:payment_id/reject', takes: 'body' },
  },
  products: {
    list: { method: 'GET', path: '/products', takes: 'query', list: 'products' },
    create: { method: 'POST', path: '/products', takes: 'body' },
    get: { method: 'GET', path: '/products/:id' },
    update: { method: 'PATCH', path: '/products/:id', takes: 'body' },
    delete: { method: 'DELETE', path: '/products/:id' },
    duplicate: { method: 'POST', path: '/products/:id/duplicate' },
  },
  variants: {
    list: { method: 'GET', path: '/products/:id/variants' },
    create: { method: 'POST', path: '/products/:id/variants', takes: 'body' },
    order: { method: 'PUT', path: '/products/:id/variants/order', takes: 'body' },
    get: { method: 'GET', path: '/products/:id/variants/:variant_id' },
    update: { method: 'PATCH', path: '/products/:id/variants/:variant_id', takes: 'body' },
    delete: { method: 'DELETE', path: '/products/:id/variants/:variant_id' },
    getDimensions: { method: 'GET', path: '/products/:id/variants/:variant_id/shipping-dimensions' },
    setDimensions: { method: 'PUT', path: '/products/:id/variants/:variant_id/shipping-dimensions', takes: 'body' },
  },
  media: {
    list: { method: 'GET', path: '/products/:id/media' },
    create: { method: 'POST', path: '/products/:id/media', takes: 'body' },
    order: { method: 'PUT', path: '/products/:id/media/order', takes: 'body' },
    update: { method: 'PATCH', path: '/products/:id/media/:media_id', takes: 'body' },
    delete: { method: 'DELETE', path: '/products/:id/media/:media_id' },
  },
  details: {
    get: { method: 'GET', path: '/products/:id/details' },
    update: { method: 'PATCH', path: '/products/:id/details', takes: 'body' },
  },
  seo: {
    get: { method: 'GET', path: '/products/:id/seo' },
    update: { method: 'PATCH', path: '/products/:id/seo', takes: 'body' },
  },
  paymentMethods: {
    get: { method: 'GET', path: '/products/:id/payment-methods' },
    set: { method: 'PUT', path: '/products/:id/payment-methods', takes: 'body' },
  },
  files: {
    list: { method: 'GET', path: '/products/:id/files' },
    create: { method: 'POST', path: '/products/:id/files', takes: 'body' },
    delete: { method: 'DELETE', path: '/products/:id/files/:file_id' },
  },
  stockAlerts: {
    list: { method: 'GET', path: '/products/:id/stock-alerts', takes: 'query', list: 'stock_alerts' },
    create: { method: 'POST', path: '/products/:id/stock-alerts', takes: 'body' },
    setThreshold: { method: 'PATCH', path: '/products/:id/stock-alerts', takes: 'body' },
    delete: { method: 'DELETE', path: '/products/:id/stock-alerts/:alert_id' },
  },
  stock: {
    get: { method: 'GET', path: '/products/:id/variants/:variant_id/stock' },
    update: { method: 'PATCH', path: '/products/:id/variants/:variant_id/stock', takes: 'body' },
    listKeys: { method: 'GET', path: '/products/:id/variants/:variant_id/keys', takes: 'query', list: 'keys' },
    addKeys: { method: 'POST', path: '/products/:id/variants/:variant_id/keys', takes: 'body' },
    exportKeys: { method: 'GET', path: '/products/:id/variants/:variant_id/keys/export' },
    updateKey: { method: 'PATCH', path: '/products/:id/variants/:variant_id/keys/:key_id', takes: 'body' },
    deleteKey: { method: 'DELETE', path: '/products/:id/variants/:variant_id/keys/:key_id' },
    deleteAllKeys: { method: 'DELETE', path: '/products/:id/variants/:variant_id/keys' },
  },
  categories: {
    list: { method: 'GET', path: '/categories', takes: 'query', list: 'categories' },
    create: { method: 'POST', path: '/categories', takes: 'body' },
    reorder: { method: 'PUT', path: '/categories/order', takes: 'body' },
    get: { method: 'GET', path: '/categories/:id' },
    update: { method: 'PATCH', path: '/categories/:id', takes: 'body' },
    putProducts: { method: 'PUT', path: '/categories/:id/products', takes: 'body' },
    delete: { method: 'DELETE', path: '/categories/:id' },
  },
  groups: {
    list: { method: 'GET', path: '/groups', takes: 'query', list: 'groups' },
    create: { method: 'POST', path: '/groups', takes: 'body' },
    reorder: { method: 'PUT', path: '/groups/order', takes: 'body' },
    get: { method: 'GET', path: '/groups/:id' },
    update: { method: 'PATCH', path: '/groups/:id', takes: 'body' },
    putProducts: { method: 'PUT', path: '/groups/:id/products', takes: 'body' },
    delete: { method: 'DELETE', path: '/groups/:id' },
  },
  coupons: {
    list: { method: 'GET', path: '/coupons', takes: 'query', list: 'coupons' },
    create: { method: 'POST', path: '/coupons', takes: 'body' },
    validate: { method: 'POST', path: '/coupons/validate', takes: 'body' },
    get: { method: 'GET', path: '/coupons/:id' },
    update: { method: 'PATCH', path: '/coupons/:id', takes: 'body' },
    delete: { method: 'DELETE', path: '/coupons/:id' },
  },
  customers: {
    listBalanceEntries: { method: 'GET', path: '/customers/:id/balance-entries', takes: 'query', list: 'balance_entries' },
  },
  shipping: {
    listZones: { method: 'GET', path: '/shipping/zones', takes: 'query', list: 'zones' },
    createZone: { method: 'POST', path: '/shipping/zones', takes: 'body' },
    reorderZones: { method: 'PUT', path: '/shipping/zones/order', takes: 'body' },
    getZone: { method: 'GET', path: '/shipping/zones/:id' },
    updateZone: { method: 'PATCH', path: '/shipping/zones/:id', takes: 'body' },
    deleteZone: { method: 'DELETE', path: '/shipping/zones/:id' },
    quote: { method: 'POST', path: '/shipping/quote', takes: 'body' },
    listLocations: { method: 'GET', path: '/shipping/locations', takes: 'query', list: 'locations' },
    createLocation: { method: 'POST', path: '/shipping/locations', takes: 'body' },
    getLocation: { method: 'GET', path: '/shipping/locations/:id' },
    updateLocation: { method: 'PATCH', path: '/shipping/locations/:id', takes: 'body' },
    deleteLocation: { method: 'DELETE', path: '/shipping/locations/:id' },
  },
  fulfillments: {
    list: { method: 'GET', path: '/fulfillments', takes: 'query', list: 'fulfillments' },
    get: { method: 'GET', path: '/fulfillments/:id' },
    create: { method: 'POST', path: '/orders/:id/fulfillments', takes: 'body' },
    update: { method: 'PATCH', path: '/fulfillments/:id', takes: 'body' },
    cancel: { method: 'POST', path: '/fulfillments/:id/cancel' },
  },
  webhooks: {
    list: { method: 'GET', path: '/webhooks', takes: 'query', list: 'webhooks' },
    create: { method: 'POST', path: '/webhooks', takes: 'body' },
    get: { method: 'GET', path: '/webhooks/:id' },
    update: { method: 'PATCH', path: '/webhooks/:id', takes: 'body' },
    delete: { method: 'DELETE', path: '/webhooks/:id' },
    test: { method: 'POST', path: '/webhooks/:id/test', takes: 'body' },
  },
  events: {
    types: { method: 'GET', path: '/events/types' },
    deliveries: { method: 'GET', path: '/events/deliveries', takes: 'query', list: 'deliveries' },
    getDelivery: { method: 'GET', path: '/events/deliveries/:id' },
    resend: { method: 'POST', path: '/events/deliveries/:id/resend' },
  },
} as const
