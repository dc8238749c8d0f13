// Written by `npm run sdk:types` from the shapes of the events. Do not edit.

/** What every event has around its object. */
interface Envelope<T extends string, O> {
  /** Discard doubles by it. */
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
  /** The order. */
  id: string
  /** Its number in the store. */
  number: number
  /** Where it stands. */
  status: string
  /** ISO 4217. */
  currency: string
  /** What it costs, in major units. */
  total: number
  /** What was paid, in major units. */
  paid_amount: number
  /** What was given back, in major units. */
  refunded_amount: number
  /** Who bought. */
  customer: {
    /** In lower case. */
    email: string
    /** ISO 3166-1 alpha-2. */
    country: string | null
  }
  /** The lines. */
  items: {
    /** The product hash. */
    product_id: string
    /** The name of the product when it was bought. */
    name: string
    /** Units. */
    quantity: number
    /** The price of one, in major units. */
    unit_price: number
    /** The price of the line, in major units. */
    total: number
  }[]
  paid_at: string | null
}

export interface ProductObject {
  /** Always `product`. */
  object: 'product'
  /** The product hash. */
  id: string
  /** Its name. */
  name: string
  /** Its name in addresses. */
  slug: string
  /** Whether it is sold. */
  status: string
  /** Units that can be sold; null where there is no end. */
  stock: number | null
}

export interface ReviewObject {
  /** Always `review`. */
  object: 'review'
  /** The review. */
  id: number
  /** The order. */
  order_id: string
  /** What is reviewed. */
  product: {
    /** The product hash. */
    id: string
    /** Its name. */
    name: string
  }
  /** 1 to 5. */
  rating: number
  /** What the customer says. */
  message: string | null
  /** Whether it was made because none came. */
  automatic: boolean
  /** When it was made. */
  created_at: string
}

export interface QuestionObject {
  /** Always `question`. */
  object: 'question'
  /** The question. */
  id: number
  /** What is asked about. */
  product: {
    /** The product hash. */
    id: string
    /** Its name. */
    name: string
  }
  /** The question. */
  body: string
  /** Who asks. */
  customer: {
    /** In lower case. */
    email: string
    /** As given. */
    name: string | null
  }
  /** When it was asked. */
  created_at: string
}

export interface CustomerObject {
  /** Always `customer`. */
  object: 'customer'
  /** The customer. */
  id: number
  /** In lower case. */
  email: string
  /** As given. */
  name: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
  /** When the customer was added. */
  created_at: string
}

export interface WithdrawalObject {
  /** Always `withdrawal`. */
  object: 'withdrawal'
  /** The withdrawal. */
  id: number
  /** What was taken out, in major units. */
  amount: number
  /** What it cost, in major units. */
  fee: number
  /** What arrived, in major units. */
  net_amount: number
  /** ISO 4217. */
  currency: string
  /** How it was sent. */
  method: string
  /** Where it was sent. */
  address: string
  /** Such as the number of a transfer. */
  reference: string | null
  /** When it was sent. */
  completed_at: string
}

export interface AffiliatePartnerObject {
  /** Always `affiliate_partner`. */
  object: 'affiliate_partner'
  /** The partner. */
  id: string
  /** In lower case. */
  email: string
  /** As given. */
  name: string | null
  /** Whether the partner may earn. */
  status: string
  /** When the partner applied. */
  created_at: string
}

export interface AffiliateConversionObject {
  /** Always `affiliate_conversion`. */
  object: 'affiliate_conversion'
  /** The order. */
  invoice_id: string
  /** Who earns. */
  partner: {
    /** The partner. */
    id: string
    /** In lower case. */
    email: string
    /** As given. */
    name: string | null
  }
  /** What led to the order. */
  link_code: string
  /** `link`, `coupon` or `manual`. */
  source: string
  /** `valid`, `flagged` or `rejected`. */
  status: string
  /** What is odd about it. */
  flags: string[]
  /** What the order cost, in major units. */
  order_total: number
  /** ISO 4217. */
  order_currency: string
  /** What the partner earns, in major units. */
  commission: number
  /** ISO 4217. */
  commission_currency: string
  available_at: string | null
}

export interface AffiliatePayoutObject {
  /** Always `affiliate_payout`. */
  object: 'affiliate_payout'
  /** The payout. */
  id: number
  /** Who is paid. */
  partner: {
    /** The partner. */
    id: string
    /** In lower case. */
    email: string
    /** As given. */
    name: string | null
  }
  /** What is paid, in major units. */
  amount: number
  /** ISO 4217. */
  currency: string
  /** Where it stands. */
  status: string
  /** How it is paid. */
  method: string
  /** Such as the number of a transfer. */
  reference: string | null
  /** When it was asked for. */
  requested_at: string
  sent_at: string | null
}

/** `data.object` by type. Amounts are decimals in major units. */
export interface WebhookObjects {
  /** An order is created (storefront, API or embed). */
  'order.created': OrderObject
  /** An order is paid and delivered; includes the deliveries. */
  'order.completed': OrderObject & {
    /** What was handed over. */
    deliveries: {
      /** The product hash. */
      product_id: string
      /** The delivery type. */
      type: string
      /** The keys that were handed over: at most 1,000, and 10,000 of the order. */
      keys: string[]
      /** How many keys were handed over. */
      keys_count: number
      /** The files that were handed over. */
      files: {
        /** The file. */
        id: number
        /** Its name. */
        name: string
        /** Its size. */
        size_bytes: number
        /** A signed address, good for 15 minutes from the event on. */
        url: string
        /** Until when. */
        url_expires_at: string
      }[]
      /** What was handed over as text. */
      text: string | null
    }[]
  }
  /** Part of a crypto payment arrived. */
  'order.partially_paid': OrderObject & {
    /** What is still owed, in major units. */
    remaining_amount: number
  }
  /** A manual payment waits for review. */
  'order.manual_review': OrderObject & {
    /** What waits for review. */
    payment: {
      /** The payment. */
      id: number
      /** What it brings, in major units. */
      amount: number
      /** Such as the number of a transfer. */
      reference: string | null
    }
  }
  /** An order was not paid in time. */
  'order.expired': OrderObject
  /** An unpaid order was cancelled. */
  'order.cancelled': OrderObject & {
    /** Why, where somebody said so. */
    reason: string | null
  }
  /** A refund was recorded; sent once per refunded amount. */
  'order.refunded': OrderObject & {
    /** The refund that was recorded. */
    refund: {
      /** The refund. */
      id: number
      /** What was given back, in major units. */
      amount: number
      /** Why. */
      reason: string
    }
  }
  /** A product ran out of stock. */
  'product.out_of_stock': ProductObject
  /** Stock was added to a product. */
  'product.restocked': ProductObject & {
    /** Units that were added. */
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
      /** The answer. */
      id: number
      /** What the team says. */
      body: string
      /** Whether it is the first answer. */
      first: boolean
      /** When it was given. */
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

/** An event, told apart by its `type`. */
export type WebhookEvent = {
  [T in WebhookEventType]: Envelope<T, WebhookObjects[T]>
}[WebhookEventType]
