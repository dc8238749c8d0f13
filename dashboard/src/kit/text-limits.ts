/** The maximum length of the names of most records, such as products, customers and apps. */
export const NAME_MAX = 128
/** The maximum lengths of notes, and of those of orders and customers. */
export const NOTE_MAX = 1_000
export const LONG_NOTE_MAX = 5_000
/** The maximum length of the reason of a ban. */
export const BAN_REASON_MAX = 255
/** The lengths of a password of a user. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 200
/** The maximum lengths of the codes of coupons, and of partners' links. */
export const COUPON_CODE_MAX = 64
export const LINK_CODE_MAX = 32

/**
 * The maximum lengths of texts in the API, by the names of their fields. A name that has several limits there is left out,
 * unless its field has a `maxLength`. A test compares them with the OpenAPI documents.
 */
export const TEXT_MAX: Readonly<Record<string, number>> = {
  address: 256,
  affiliate_code: 32,
  barcode: 64,
  city: 128,
  customer_email: 254,
  customer_name: 128,
  delivered_message: 5_000,
  delivery_note: 2_000,
  destination: 255,
  download_url: 2_048,
  email: 254,
  icon: 64,
  image_url: 2_048,
  landing_url: 2_048,
  line1: 255,
  line2: 255,
  mail_from_name: 64,
  meta_description: 500,
  meta_title: 255,
  og_description: 500,
  og_image_url: 2_048,
  og_title: 255,
  phone: 32,
  postal_code: 32,
  prefix: 16,
  proof_text: 5_000,
  proof_url: 2_048,
  public_reason: 255,
  region: 128,
  reply: 2_000,
  short_description: 500,
  sku: 64,
  support_email: 254,
  suspend_reason: 255,
  tracking_number: 128,
  tracking_url: 2_048,
  youtube_url: 2_048,
}
