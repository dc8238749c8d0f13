// Written by `npm run sdk:types` from the shapes of the events. Do not edit.

/** The fields that every event has. */
interface Envelope<T extends string, O> {
  /** The id of the event, by which duplicates can be discarded. */
  id: string
  object: 'event'
  type: T
  /** Unix seconds. */
  created: number
  livemode: boolean
  store: { id: string; name: string; slug: string }
  data: { object: O }
}

export interface OrderObject {
  /** Always `order`. */
  object: 'order'
  /** The order id. */
  id: string
  /** The number of the order in the store. */
  number: number
  /** The status of the order. */
  status: string
  /** The ISO 4217 code of the currency. */
  currency: string
  /** The total of the order, in major units. */
  total: number
  /** The amount paid, in major units. */
  paid_amount: number
  /** The amount refunded, in major units. */
  refunded_amount: number
  /** The customer. */
  customer: {
    /** The email address, in lower case. */
    email: string
    /** The ISO 3166-1 alpha-2 code of the country. */
    country: string | null
  }
  /** The items of the order. */
  items: {
    /** The product hash. */
    product_id: string
    /** The id of the variant. */
    variant_id: number
    /** The name of the product when it was bought. */
    name: string
    /** The name of the variant when it was bought. */
    variant_name: string
    /** The SKU of the variant when it was bought. */
    sku: string | null
    /** The bundle that the item belongs to; null if it was bought itself. */
    bundle: {
      /** The product hash of the bundle. */
      product_id: string
      /** The name of the bundle when it was bought. */
      name: string
    } | null
    /** The number of units. */
    quantity: number
    /** The price of one unit, in major units. */
    unit_price: number
    /** The price of all units of the item, in major units. */
    total: number
  }[]
  /** The customer's answers to the custom fields of the product. */
  custom_fields: Record<string, string>
  paid_at: string | null
}

export interface ProductObject {
  /** Always `product`. */
  object: 'product'
  /** The product hash. */
  id: string
  /** The name of the product. */
  name: string
  /** The name of the product in URLs. */
  slug: string
  /** The status of the product. */
  status: string
  /** Units that can be sold; null if unlimited. */
  stock: number | null
}

export interface ReviewObject {
  /** Always `review`. */
  object: 'review'
  /** The review id. */
  id: number
  /** The order id. */
  order_id: string
  /** The reviewed product. */
  product: {
    /** The product hash. */
    id: string
    /** The name of the product. */
    name: string
  }
  /** The rating, from 1 to 5. */
  rating: number
  /** The text of the review. */
  message: string | null
  /** True if the review was created automatically because the customer wrote none. */
  automatic: boolean
  /** The time when the review was created. */
  created_at: string
}

export interface QuestionObject {
  /** Always `question`. */
  object: 'question'
  /** The question id. */
  id: number
  /** The product of the question. */
  product: {
    /** The product hash. */
    id: string
    /** The name of the product. */
    name: string
  }
  /** The text of the question. */
  body: string
  /** The customer who asks. */
  customer: {
    /** The email address, in lower case. */
    email: string
    /** The name, as it was entered. */
    name: string | null
  }
  /** The time of the question. */
  created_at: string
}

export interface CustomerObject {
  /** Always `customer`. */
  object: 'customer'
  /** The customer id. */
  id: number
  /** The email address, in lower case. */
  email: string
  /** The name, as it was entered. */
  name: string | null
  /** The ISO 3166-1 alpha-2 code of the country. */
  country: string | null
  /** The time when the customer was added. */
  created_at: string
}

export interface WithdrawalObject {
  /** Always `withdrawal`. */
  object: 'withdrawal'
  /** The withdrawal id. */
  id: number
  /** The amount withdrawn, in major units. */
  amount: number
  /** The fee of the withdrawal, in major units. */
  fee: number
  /** The amount received, in major units. */
  net_amount: number
  /** The ISO 4217 code of the currency. */
  currency: string
  /** The method of the withdrawal. */
  method: string
  /** The destination of the withdrawal. */
  address: string
  /** A reference, such as the number of a transfer. */
  reference: string | null
  /** The time when the withdrawal was sent. */
  completed_at: string
}

export interface AffiliatePartnerObject {
  /** Always `affiliate_partner`. */
  object: 'affiliate_partner'
  /** The partner id. */
  id: string
  /** The email address, in lower case. */
  email: string
  /** The name, as it was entered. */
  name: string | null
  /** The status of the partner. */
  status: string
  /** The time when the partner applied. */
  created_at: string
}

export interface AffiliateConversionObject {
  /** Always `affiliate_conversion`. */
  object: 'affiliate_conversion'
  /** The order id. */
  invoice_id: string
  /** The partner who earns the commission. */
  partner: {
    /** The partner id. */
    id: string
    /** The email address, in lower case. */
    email: string
    /** The name, as it was entered. */
    name: string | null
  }
  /** The code of the link or coupon that led to the order. */
  link_code: string
  /** The source of the attribution: `link`, `coupon` or `manual`. */
  source: string
  /** The status of the conversion: `valid`, `flagged` or `rejected`. */
  status: string
  /** Signs that the conversion may be invalid. */
  flags: string[]
  /** The total of the order, in major units. */
  order_total: number
  /** The ISO 4217 code of the currency. */
  order_currency: string
  /** The commission of the partner, in major units. */
  commission: number
  /** The ISO 4217 code of the currency. */
  commission_currency: string
  available_at: string | null
}

export interface AffiliatePayoutObject {
  /** Always `affiliate_payout`. */
  object: 'affiliate_payout'
  /** The payout id. */
  id: number
  /** The partner who is paid. */
  partner: {
    /** The partner id. */
    id: string
    /** The email address, in lower case. */
    email: string
    /** The name, as it was entered. */
    name: string | null
  }
  /** The amount of the payout, in major units. */
  amount: number
  /** The ISO 4217 code of the currency. */
  currency: string
  /** The status. */
  status: string
  /** The method of the payout; null if none was entered. */
  method: string | null
  /** A reference, such as the number of a transfer. */
  reference: string | null
  /** The time of the request. */
  requested_at: string
  sent_at: string | null
}

/** `data.object` by type. Amounts are decimals in major units. */
export interface WebhookObjects {
  /** An order is created (storefront, API or embed). */
  'order.created': OrderObject
  /** An order is paid and delivered; includes the deliveries. */
  'order.completed': OrderObject & {
    /** The deliveries of the order. */
    deliveries: {
      /** The id of the delivered order item. */
      order_item_id: number
      /** The product hash. */
      product_id: string
      /** The id of the variant. */
      variant_id: number
      /** The delivery type. */
      type: string
      /** The delivered keys: at most 1,000 here, and 10,000 for the order. */
      keys: string[]
      /** The number of delivered keys. */
      keys_count: number
      /** The delivered files. */
      files: {
        /** The file id. */
        id: number
        /** The file name. */
        name: string
        /** The size in bytes. */
        size_bytes: number
        /** A signed URL, valid for 15 minutes after the event. */
        url: string
        /** The time when the URL expires. */
        url_expires_at: string
      }[]
      /** The delivered text. */
      text: string | null
    }[]
  }
  /** Part of a crypto payment arrived. */
  'order.partially_paid': OrderObject & {
    /** The amount that is not paid yet, in major units. */
    remaining_amount: number
  }
  /** A manual payment waits for review. */
  'order.manual_review': OrderObject & {
    /** The payment that waits for review. */
    payment: {
      /** The payment id. */
      id: number
      /** The amount of the payment, in major units. */
      amount: number
      /** A reference, such as the number of a transfer. */
      reference: string | null
    }
  }
  /** An order was not paid in time. */
  'order.expired': OrderObject
  /** An unpaid order was cancelled. */
  'order.cancelled': OrderObject & {
    /** The reason, if one was entered. */
    reason: string | null
  }
  /** A refund was recorded; sent once per refunded amount. */
  'order.refunded': OrderObject & {
    /** The recorded refund. */
    refund: {
      /** The refund id. */
      id: number
      /** The amount refunded, in major units. */
      amount: number
      /** The reason of the refund. */
      reason: string
      /** The seller's note. */
      note: string | null
      /** The id of the return that was refunded; null for any other refund. */
      return_id: number | null
      /**
       * The refunded items, whose amounts add up to the amount. Empty for a refund that names no
       * items.
       */
      items: {
        /** The product hash. */
        product_id: string
        /** The id of the variant. */
        variant_id: number
        /** The number of refunded units. */
        quantity: number
        /** The part of the refund for these units, in major units. */
        amount: number
      }[]
    }
  }
  /** A product ran out of stock. */
  'product.out_of_stock': ProductObject
  /** Stock was added to a product. */
  'product.restocked': ProductObject & {
    /** The number of units added. */
    added: number
  }
  /** A product was deleted. */
  'product.deleted': ProductObject
  /** A customer left a review. */
  'review.created': ReviewObject
  /** A customer asked a question on a product page. */
  'question.created': QuestionObject
  /** The team answered a product question (dashboard or API); `answer.first` is `true` for the first answer. */
  'question.answered': QuestionObject & {
    /** The answer. */
    answer: {
      /** The answer id. */
      id: number
      /** The text of the answer. */
      body: string
      /** True for the first answer. */
      first: boolean
      /** The time of the answer. */
      created_at: string
    }
  }
  /** A new customer was added. */
  'customer.created': CustomerObject
  /** A wallet withdrawal was sent. */
  'withdrawal.completed': WithdrawalObject
  /** Someone applied to the affiliate programme. */
  'affiliate.partner_applied': AffiliatePartnerObject
  /** An attributed order completed and the commission was recorded. */
  'affiliate.conversion': AffiliateConversionObject
  /** A partner requested a payout. */
  'affiliate.payout_requested': AffiliatePayoutObject
  /** A payout was marked as sent. */
  'affiliate.payout_sent': AffiliatePayoutObject
}

export type WebhookEventType = keyof WebhookObjects

/** An event. Its `type` determines its object. */
export type WebhookEvent = {
  [T in WebhookEventType]: Envelope<T, WebhookObjects[T]>
}[WebhookEventType]
