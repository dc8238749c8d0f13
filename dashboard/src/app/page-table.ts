import type { ComponentType } from 'react'

/** Groups of the navigation, in their order. */
export const GROUPS = [
  'home',
  'sell',
  'catalogue',
  'people',
  'insight',
  'client',
  'build',
  'settings',
] as const
export type Group = (typeof GROUPS)[number]

/** A page of a store, as data. */
export interface PageEntry {
  /** Below the store, in the words of the Store API, such as `orders/$id`. */
  path: string
  /** The module of the page, which exports `Page`. It is loaded when the page is opened. */
  load: () => Promise<{ Page: ComponentType }>
  /** Its entry in the navigation; records and tabs have none. */
  nav?: {
    group: Group
    label: string
    /** `g` and then this letter go to the page. */
    key?: string
    /** True if only owners may read the page. */
    isForOwners?: boolean
    /** The count of the store next to the entry. */
    count?: keyof Counts
  }
}

/** The numbers of records of the store that wait for a person. */
export interface Counts {
  orders: number
  tickets: number
  questions: number
  returns: number
  payouts: number
  endpoints: number
}
