import { useRouter, useRouterState } from '@tanstack/react-router'
import type { SearchProps } from './list-filters.tsx'

/**
 * The query of the address. A change adds an entry to the history, so that "back" returns to the former query; a text
 * that acts while it is typed replaces the entry.
 */
export function useSearch(): [SearchProps['search'], SearchProps['setSearch']] {
  const router = useRouter()
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location })
  const search = Object.fromEntries(new URLSearchParams(searchStr))
  const set: SearchProps['setSearch'] = (next, mode = undefined) => {
    const entries = Object.entries(next).filter(([, value]) => value !== '')
    const text = new URLSearchParams(entries).toString()
    router.history[mode ?? 'push'](
      `${router.basepath.replace(/\/$/, '')}${pathname.replace(router.basepath, '')}${text && `?${text}`}`,
    )
  }
  return [search, set]
}
