import type { ComponentType } from 'react'
import type { Counts } from './counts.ts'

/** The groups of the navigation, in the sequence in which they are shown. */
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
  /** The path below the store, in the words of the Store API, such as `orders/$id`. */
  path: string
  /** The module of the page, which exports `Page`. It is loaded when the page is opened. */
  load: () => Promise<{ Page: ComponentType }>
  /** The page's entry in the navigation; undefined for records and tabs. */
  nav?: {
    group: Group
    label: string
    /** The key that opens the page after `g`. */
    key?: string
    /** True if only owners may read the page. */
    isForOwners?: boolean
    /** Paths of further tabs of the page, which are not below its path. */
    tabs?: readonly string[]
    /** The count that is shown next to the entry. */
    count?: keyof Counts
  }
}

/** The path of a page for a link, such as `/orders`. */
export const linkPathOf = ({ path }: Pick<PageEntry, 'path'>): string =>
  path === '/' ? '/' : `/${path}`
