// Written by `npm run sdk:types` from the endpoints of the Store API. Do not edit.
import type { CallOptions } from '../transport.ts'

/** The store, its plan and what the calling key may do. */
export interface AccountApi {
  /**
   * Show the store, its plan and limits, and what the calling key may do.
   *
   * Needs the permission `account:read`.
   */
  get(options?: CallOptions): Promise<{ account: Account }>
}

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
